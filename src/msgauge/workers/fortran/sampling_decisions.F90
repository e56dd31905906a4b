! Reads a test vector of tests/vectors/sampling and prints the decisions of the module sampling on it, one a line.
!
! Compile:  gfortran series.F90 sampling.F90 sampling_decisions.F90 -o decisions;   run:  decisions VECTOR
program sampling_decisions
  use sampling
  implicit none

  character(len=32) :: mode = 'batch', kind = 'batches'
  integer(int64) :: budget_ns = 0, sample_ns = 0, taken = 0, late = 0, empty_ns = 0
  real(real64) :: precision = 0, cost_ns = 0, resolution_ns = 0, operation_ns = 0
  integer(int64), allocatable :: source(:), values(:), order_rounds(:), reached_late(:), began_late(:), stamps(:)
  integer :: readings = 0
  real(real64), allocatable :: factors(:)
  type(pace_type) :: pace

  call read_vector()
  if (allocated(factors)) then
    call decide_length()
  else if (allocated(stamps)) then
    call decide_clock()
  else if (allocated(began_late)) then
    call decide_appointments()
  else
    call decide_samples()
  end if

contains

  subroutine read_vector()
    character(len=100000) :: line
    character(len=4096) :: path
    integer :: unit, status, space
    call get_command_argument(1, path)
    open (newunit=unit, file=trim(path), action='read', status='old')
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      space = index(line, ' ')
      if (line(1:1) == '#' .or. space <= 1) cycle
      call read_entry(line(1:space - 1), line(space + 1:))
    end do
    close (unit)
  end subroutine

  subroutine read_entry(key, text)
    character(len=*), intent(in) :: key, text
    select case (key)
    case ('mode'); mode = text
    case ('kind'); kind = text
    case ('budget_ns'); read (text, *) budget_ns
    case ('sample_ns'); read (text, *) sample_ns
    case ('period_ns'); read (text, *) pace%period_ns
    case ('slack_ns'); read (text, *) pace%slack_ns
    case ('precision'); read (text, *) precision
    case ('empty_ns'); read (text, *) empty_ns
    case ('cost_ns'); read (text, *) cost_ns
    case ('resolution_ns'); read (text, *) resolution_ns
    case ('operation_ns'); read (text, *) operation_ns
    case ('values')
      allocate (source(words_in(text)))
      read (text, *) source
    case ('order_rounds'); order_rounds = wholes_in(text)
    case ('reached_late'); reached_late = wholes_in(text)
    case ('began_late'); began_late = wholes_in(text)
    case ('readings'); read (text, *) readings
    case ('stamps'); stamps = wholes_in(text)
    case ('trial_factors')
      allocate (factors(words_in(text)))
      read (text, *) factors
    end select
  end subroutine

  function words_in(text) result(count)
    character(len=*), intent(in) :: text
    integer :: count, at
    count = merge(0, 1, text(1:1) == ' ')
    do at = 2, len_trim(text)
      if (text(at:at) /= ' ' .and. text(at - 1:at - 1) == ' ') count = count + 1
    end do
  end function

  function wholes_in(text) result(found)
    character(len=*), intent(in) :: text
    integer(int64), allocatable :: found(:)
    allocate (found(words_in(text)))
    read (text, *) found
  end function

  subroutine decide_clock()
    type(clock_type) :: clock
    clock = clock_facts(reshape(stamps, [readings, size(stamps)/readings]))
    write (*, '(a,1x,i0)') 'cost_thousandths', int(1000*clock%cost + 0.5_real64, int64)
    write (*, '(a,1x,i0)') 'step', int(clock%step, int64)
  end subroutine

  subroutine decide_appointments()
    integer :: at
    write (*, '(a,1x,i0)') 'start_limit_ns', start_limit_ns(empty_ns, resolution_ns)
    do at = 1, size(order_rounds)
      write (*, '(a,1x,i0)') 'missed', missed_rounds(order_rounds(at), reached_late(at), began_late(at))
    end do
  end subroutine

  subroutine decide_length()
    type(batch_search) :: search
    real(real64) :: took_ns, elapsed_ns
    search = begin_search(budget_ns, cost_ns, resolution_ns)
    elapsed_ns = 0
    do while (.not. search%found)
      took_ns = operation_ns*search%operations*factors(mod(search%trials, size(factors)) + 1)
      elapsed_ns = elapsed_ns + took_ns
      call note_trial(search, took_ns, elapsed_ns)
    end do
    write (*, '(a,1x,i0)') 'trials', search%trials
    write (*, '(a,1x,i0)') 'operations', search%operations
  end subroutine

  subroutine decide_samples()
    type(stopping_type) :: stopping
    integer(int64) :: before
    logical :: done
    real(real64) :: found
    stopping = begin_stopping(budget_ns, precision, mode == 'single', real(sample_ns, real64))
    allocate (values(0))
    done = .false.
    do while (.not. done)
      write (*, '(a,1x,i0)') 'chunk', stopping%chunk
      before = taken
      call take(stopping%chunk)
      done = is_done(stopping, values, taken*sample_ns, (taken - before)*sample_ns)
    end do
    write (*, '(a,1x,a)') 'stopped', trim(stopping%stopped)
    write (*, '(a,1x,i0)') 'samples', size(values), 'late', late, 'dropped', stopping%dropped
    write (*, '(a,1x,a)') 'stationary', trim(merge('yes', 'no ', stopping%stationary))
    found = median_precision(values(stopping%dropped + 1:))
    write (*, '(a,1x,i0)') 'precision_ppm', merge(int(found*1e6_real64 + 0.5_real64, int64), -1_int64, found < 1e9_real64)
  end subroutine

  ! Takes an order of rounds or a chunk of samples; a value below 0 is a round that came late.
  subroutine take(wanted)
    integer(int64), intent(in) :: wanted
    integer(int64) :: count, at, late_before, good
    integer(int64) :: got(wanted)
    count = wanted
    if (kind == 'rounds') count = rounds_of(pace, wanted)
    late_before = late
    good = 0
    do at = 1, count
      got(good + 1) = source(mod(taken, int(size(source), int64)) + 1)
      taken = taken + 1
      if (got(good + 1) < 0 .and. pace%agreed) then
        late = late + 1
      else
        good = good + 1
        got(good) = abs(got(good))
      end if
    end do
    values = [values, got(1:good)]
    if (kind /= 'rounds') return
    if (.not. keeps_pace(pace, count, late - late_before, size(values))) values = values(1:0)
    write (*, '(a,2(1x,i0),1x,a)') 'pace', pace%period_ns, pace%slack_ns, trim(merge('agreed ', 'barrier', pace%agreed))
  end subroutine
end program sampling_decisions
