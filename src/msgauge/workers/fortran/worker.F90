! One rank of msgauge's worker in Fortran (docs/reference/wire-protocol.md).
!
! Run:      W --plan PLAN --samples SAMPLES | --hello
! Ends with 0; 64 wrong arguments; 65 a plan it cannot carry out; 67 another number of ranks than planned.
program worker
  use data_path
  use measure
  implicit none

  type(plan_type), target :: plan
  character(len=4096) :: first, plan_path, third, samples_path
  character(len=:), allocatable :: said
  integer(int64) :: begun_ns
  integer :: rank, ranks, code, at
  logical :: hello, one_clock

  call get_command_argument(1, first)
  call get_command_argument(2, plan_path)
  call get_command_argument(3, third)
  call get_command_argument(4, samples_path)
  hello = first == '--hello'
  if (.not. hello) then
    if (first /= '--plan' .or. third /= '--samples' .or. samples_path == ' ') then
      write (0, '(a)') 'usage: worker --plan PLAN --samples SAMPLES | --hello'
      stop 64
    end if
  end if

  ! MPI first: LAM's MPI_INIT failed with EFAULT in programs that had read a file before.
  call MPI_Init(code)
  if (.not. hello) call read_plan(trim(plan_path), plan)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  if (hello) then
    call fence(rank, ranks)
    said = 'msgauge-hello cell=-1 kernel=launch series=hello' // identity() // place_of(rank)
    write (*, '(a)') said
    flush (6)
  else if (ranks /= plan%ranks) then
    write (0, '(a,i0,a,i0,a,i0,a)') 'msgauge: rank ', rank, ' finds itself in a job of ', ranks, ', but ', plan%ranks, &
      ' ranks were planned'
    call MPI_Finalize(code)
    stop 67
  else
    call perform()
  end if
  call MPI_Finalize(code)

contains

  function identity() result(text)
    character(len=:), allocatable :: text
    text = ' size=' // text_of(int(ranks, int64)) // ' library=' // encoded(library()) // ' transport=mpi-fortran'
  end function

  subroutine perform()
    character(len=64) :: told
    type(clock_type) :: clock
    call take_core(item(plan%pin, rank), plan%cores)
    begun_ns = now_ns()
    clock = examined_clock()
    if (rank == 0) then
      call open_samples(trim(samples_path))
      call write_fact('cell=-1 kernel=launch series=hello' // identity() // place_of(0))
      write (told, '(a,f0.3,a,i0)') 'cost_ns=', clock%cost, ' resolution_ns=', nint(clock%step)
      call write_fact('cell=-1 kernel=launch series=clock clock=monotonic ' // trim(told))
    end if
    call tell('cell=-1 kernel=launch series=rank' // place_of(rank))
    one_clock = same_everywhere(clock_identity())
    do at = 1, size(plan%cells)
      call attempt(plan%cells(at), clock)
    end do
    call tell('cell=-1 kernel=launch series=usage' // usage_of(rank))
    if (all_agree(ranks > 1 .and. now_ns() - begun_ns <= plan%limit_ns/10*9, rank, ranks)) &
      call tell('cell=-1 kernel=launch series=data_path' // wire_of(rank, ranks))
    if (rank == 0) call write_fact('cell=-1 kernel=launch series=end')
  end subroutine

  function same_everywhere(own) result(same)
    character(len=128), intent(in) :: own
    character(len=128) :: first
    logical :: same
    first = own
    call MPI_Bcast(first, 128, MPI_CHARACTER, 0, MPI_COMM_WORLD, code)
    same = all_agree(first == own, rank, ranks)
  end function

  ! One frame a rank, written by rank 0.
  subroutine tell(own)
    character(len=*), intent(in) :: own
    character(len=line_length) :: text
    integer :: other, status(MPI_STATUS_SIZE)
    text = own
    if (rank /= 0) then
      call MPI_Send(text, line_length, MPI_CHARACTER, 0, report_tag, MPI_COMM_WORLD, code)
      return
    end if
    call write_fact(text)
    do other = 1, ranks - 1
      call MPI_Recv(text, line_length, MPI_CHARACTER, other, report_tag, MPI_COMM_WORLD, status, code)
      call write_fact(text)
    end do
  end subroutine

  subroutine attempt(cell, clock)
    type(cell_type), intent(in) :: cell
    type(clock_type), intent(in) :: clock
    type(measurement) :: part
    type(result_type) :: result
    character(len=:), allocatable :: why
    integer :: active, failed, most
    logical :: fine
    why = objection(cell, ranks)
    if (why == '' .and. cell%kernel /= 'pingpong' .and. .not. one_clock) &
      why = 'the hosts have clocks of their own, which workers in Fortran do not synchronise'
    if (why /= '') then
      if (rank == 0) call write_fact('cell=' // text_of(cell%id) // ' kernel=' // trim(cell%kernel) // &
        ' series=time bytes=' // text_of(cell%bytes) // ' status=refused reason=' // encoded(why))
      return
    end if
    active = merge(2, cell%ranks, cell%kernel == 'pingpong')
    if (rank >= active) then
      call await_order_sleeping()
      return
    end if
    call begin_subject(part%it, cell, rank, failed)
    part%plan => plan
    part%oversubscribed = active > plan%cores
    part%clock = clock
    part%empty_ns = time_empty_round()
    most = merge(most_singles, most_batches, cell%mode == 'single')
    if (failed == 0) allocate (part%own(columns_most, longest_chunk), part%columns(most, part%it%columns), stat=failed)
    fine = failed == 0 .and. (rank /= 0 .or. now_ns() - begun_ns <= plan%limit_ns/10*9)
    fine = all_agree(fine, rank, active)
    if (rank /= 0) then
      if (fine) call follow(part)
      return
    end if
    if (fine) then
      call lead(part, result)
    else
      result = result_type(status='error', reason='not enough memory or time for this cell in this launch')
    end if
    call report(part, result)
    call give(order_type(finish), active, ranks)
  end subroutine

  subroutine report(part, result)
    type(measurement), intent(in) :: part
    type(result_type), intent(in) :: result
    character(len=:), allocatable :: head, names, tail
    character(len=64) :: levels
    integer :: number, length
    head = 'cell=' // text_of(part%it%cell%id) // ' kernel=' // trim(part%it%cell%kernel) // ' series='
    tail = ' bytes=' // text_of(part%it%cell%bytes) // ' unit=ns divisor=' // text_of(result%divisor) // ' status=' &
           // trim(result%status) // ' emulated=no mode=' // trim(result%mode) // ' cache=hot ranks=' &
           // text_of(int(part%it%cell%ranks, int64)) // ' stationary=' // trim(merge('yes', 'no ', result%stationary)) &
           // ' dropped=' // text_of(result%dropped)
    if (.not. result%stationary) then
      write (levels, '(a,f0.3,a,f0.3)') ' level_first=', result%level_first, ' level_last=', result%level_last
      tail = tail // trim(levels)
    end if
    if (result%reason /= '') tail = tail // ' reason=' // encoded(trim(result%reason))
    if (result%stopped /= '') tail = tail // ' stopped=' // trim(result%stopped)
    if (result%start /= '') tail = tail // ' start=' // trim(result%start) // ' late=' // text_of(result%late) &
                                  // ' empty_ns=' // text_of(result%empty_ns)
    if (result%status /= 'ok') then
      call write_fact(head // 'time' // tail)
      return
    end if
    names = trim(part%it%names) // ' '
    do number = 1, part%it%columns
      length = scan(names, ' ') - 1
      call write_frame(head // names(1:length) // tail, part%columns(result%dropped + 1:part%taken, number))
      names = names(length + 2:)
    end do
    if (result%dropped > 0) call write_frame(head // 'warmup' // tail, part%columns(1:result%dropped, 1))
  end subroutine
end program worker
