! Measures one cell: check the payload, find out how long an operation takes, take samples in chunks that double. The
! result is looked at only between chunks; between two clock reads there is the operation alone.
module measure
  use coordination
  use kernels
  use sampling
  implicit none

  type :: result_type
    character(len=16) :: status = 'ok', mode = 'batch', start = '', stopped = ''
    character(len=96) :: reason = ''
    integer(int64) :: divisor = 1, dropped = 0, late = 0
    integer(int64) :: empty_ns = 0   ! of collectives: a round without operation, taken off every sample
    logical :: stationary = .true.
    real(real64) :: level_first = 0, level_last = 0   ! ns per event, when not stationary
  end type

  type :: measurement
    type(plan_type), pointer :: plan => null()
    type(subject_type) :: it
    logical :: oversubscribed = .false.
    logical :: slow = .false.          ! an operation takes a good part of the budget
    type(clock_type) :: clock   ! its ticks are ns
    real(real64) :: each_ns = 0
    integer :: taken = 0
    integer(int64) :: late = 0, began_late = 0, empty_ns = 0
    type(pace_type) :: pace
    integer(int64), allocatable :: columns(:, :)   ! (capacity, series) of the job, at rank 0
    integer(int64), allocatable :: own(:, :)       ! (7, longest chunk) of this rank
  end type

contains

  ! What readings of now_ns say of it.
  function examined_clock() result(clock)
    type(clock_type) :: clock
    integer(int64) :: stamps(201, 10)
    integer :: trial, at
    do trial = 1, 10
      do at = 1, 201
        stamps(at, trial) = now_ns()
      end do
    end do
    clock = clock_facts(stamps)
  end function

  ! What a round without any operation takes: one reading of the clock; median of several.
  function time_empty_round() result(ns)
    integer(int64) :: ns, start
    integer, parameter :: trials = 33
    integer :: trial, place
    integer(int64) :: took, sorted(trials)
    do trial = 1, trials
      start = now_ns()
      took = now_ns() - start
      place = trial
      do while (place > 1)
        if (sorted(place - 1) <= took) exit
        sorted(place) = sorted(place - 1)
        place = place - 1
      end do
      sorted(place) = took
    end do
    ns = sorted((trials + 1)/2)
  end function

  subroutine lead(this, result)
    type(measurement), intent(inout) :: this
    type(result_type), intent(out) :: result
    logical :: fine
    fine = .true.
    if (this%plan%check) fine = checks_twice(this)
    if (fine) then
      call sample_all(this, result)
      if (this%plan%check .and. .not. this%slow) fine = command(this, order_type(check_order, 2))
    end if
    if (.not. fine) then
      result = result_type(status='wrong-bytes', reason='a message arrived with other bytes than were sent')
      this%taken = 0
    end if
    call give(order_type(finish), 1, this%it%ranks)
  end subroutine

  ! A second look at other bytes, unless an operation takes a good part of the budget.
  function checks_twice(this) result(fine)
    type(measurement), intent(inout) :: this
    integer(int64) :: before
    logical :: fine
    before = now_ns()
    fine = command(this, order_type(check_order, 0))
    this%each_ns = real(now_ns() - before, real64)
    this%slow = this%each_ns > this%plan%budget_ns/10.0_real64
    if (fine .and. .not. this%slow) fine = command(this, order_type(check_order, 1))
  end function

  subroutine follow(this)
    type(measurement), intent(inout) :: this
    type(order_type) :: order
    logical :: fine
    do
      order = take_order()
      if (order%kind == finish) return
      fine = execute_order(this, order)
    end do
  end subroutine

  function command(this, order) result(fine)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    logical :: fine
    call give(order, 1, this%it%ranks)
    fine = execute_order(this, order)
  end function

  ! Does what the order says, as every rank of the cell does at this moment. False: wrong bytes somewhere.
  function execute_order(this, order) result(fine)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    logical :: fine
    fine = .true.
    select case (order%kind)
    case (check_order)
      fine = all_agree(check_payload(this, int(order%count)), this%it%rank, this%it%ranks)
    case (batches)
      call run_batches(this, order)
    case (programs)
      call run_programs(this, order)
    case default
      call run_rounds(this, order)
    end select
  end function

  function check_payload(this, iteration) result(fine)
    type(measurement), intent(inout) :: this
    integer, intent(in) :: iteration
    integer(int64) :: values(columns_most)
    logical :: fine
    call prepare(this%it, iteration)
    if (this%it%program) then
      if (this%it%rank == 0) then
        call run_serial(this%it)
        call give(order_type(finish), 1, this%it%ranks)
      else
        call await_order_sleeping()
      end if
      call run_program(this%it, values)
    else
      call fence(this%it%rank, this%it%ranks)
      call repeat_it(this%it, 1_int64)
    end if
    fine = verify_payload(this%it, iteration)
  end function

  ! --- carried out by every rank -------------------------------------------------------------------------------------

  subroutine run_batches(this, order)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    integer(int64) :: before, after
    integer(int64) :: at
    call repeat_it(this%it, order%lead_in)
    before = now_ns()
    do at = 1, order%count
      call repeat_it(this%it, order%operations)
      after = now_ns()
      this%own(1, at) = after - before
      before = after
    end do
    if (this%it%rank /= 0) return
    do at = 1, order%count
      call keep(this, this%own(:, at))
    end do
  end subroutine

  subroutine run_rounds(this, order)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    integer(int64) :: target_ns, at, start, limit_ns
    limit_ns = start_limit_ns(this%empty_ns, this%clock%step)
    target_ns = order%start_ns
    do at = 1, order%count
      this%own(3, at) = 0
      if (order%kind == agreed) then
        if (now_ns() > target_ns) this%own(3, at) = 1
        do while (now_ns() < target_ns)
        end do
      else
        call fence(this%it%rank, this%it%ranks)
      end if
      start = now_ns()
      call repeat_it(this%it, 1_int64)
      this%own(2, at) = now_ns()
      this%own(1, at) = start
      if (order%kind == agreed .and. this%own(3, at) == 0 .and. start - target_ns > limit_ns) this%own(3, at) = 2
      target_ns = target_ns + order%period_ns
    end do
    call gather(this, int(order%count))
  end subroutine

  subroutine run_programs(this, order)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    integer(int64) :: at
    do at = 1, order%count
      call fence(this%it%rank, this%it%ranks)
      call run_program(this%it, this%own(:, at))
    end do
    call gather(this, int(order%count))
  end subroutine

  ! Rank 0 puts the stamps of all ranks together, operation by operation.
  subroutine gather(this, count)
    type(measurement), intent(inout) :: this
    integer, intent(in) :: count
    integer(int64), allocatable :: everyone(:, :, :)
    integer :: rank, at, number, code, status(MPI_STATUS_SIZE)
    integer(int64) :: values(columns_most)
    if (this%it%rank /= 0) then
      call MPI_Send(this%own, 8*columns_most*count, MPI_BYTE, 0, report_tag, MPI_COMM_WORLD, code)
      return
    end if
    allocate (everyone(columns_most, count, 0:this%it%ranks - 1))
    everyone(:, :, 0) = this%own(:, 1:count)
    do rank = 1, this%it%ranks - 1
      call MPI_Recv(everyone(1, 1, rank), 8*columns_most*count, MPI_BYTE, rank, report_tag, MPI_COMM_WORLD, status, code)
    end do
    do at = 1, count
      values = 0
      if (this%it%program) then
        do number = 1, this%it%columns
          values(number) = combined(number, everyone(number, at, :))
        end do
        values(1) = values(1) + everyone(columns_most, at, 0) - minval(everyone(columns_most, at, :))
      else if (any(everyone(3, at, :) /= 0)) then
        this%late = this%late + 1
        if (all(everyone(3, at, :) /= 1)) this%began_late = this%began_late + 1
        cycle
      else
        values(1) = maxval(everyone(2, at, :)) - minval(everyone(1, at, :))
        values(2) = everyone(2, at, 0) - everyone(1, at, 0)
        values(3) = sum(everyone(2, at, :) - everyone(1, at, :))/this%it%ranks
        values(1:3) = max(0_int64, values(1:3) - this%empty_ns)
        values(4) = maxval(everyone(2, at, :)) - minval(everyone(2, at, :))
        values(5) = maxval(everyone(1, at, :)) - minval(everyone(1, at, :))
      end if
      call keep(this, values)
    end do
  end subroutine

  subroutine keep(this, values)
    type(measurement), intent(inout) :: this
    integer(int64), intent(in) :: values(columns_most)
    if (this%taken == size(this%columns, 1)) return
    this%taken = this%taken + 1
    this%columns(this%taken, :) = values(1:this%it%columns)
  end subroutine

  ! --- decided by rank 0 ----------------------------------------------------------------------------------------------

  subroutine sample_all(this, result)
    type(measurement), intent(inout) :: this
    type(result_type), intent(inout) :: result
    type(order_type) :: order
    logical :: single
    single = this%it%cell%mode == 'single'
    if (this%it%program) then
      order = order_type(kind=programs)
    else if (this%it%collective) then
      call begin_pace(this)
      order = order_type(kind=fenced)
    else
      order = order_type(kind=batches, operations=operations_per_batch(this))
      order%lead_in = merge(2, 0, order%operations > 1)
      if (single) order%operations = 1
      result%divisor = order%operations*this%it%events
    end if
    if (single .or. order%kind /= batches) result%mode = 'single'
    this%taken = 0
    this%late = 0
    this%began_late = 0
    call sample(this, result, order)
    result%late = this%late
    result%empty_ns = this%empty_ns
    if (this%it%collective) result%start = merge('agreed ', 'barrier', this%pace%agreed)
  end subroutine

  ! The appointments of rounds, from a few behind barriers.
  subroutine begin_pace(this)
    type(measurement), intent(inout) :: this
    integer(int64) :: begin, each_ns
    logical :: fine
    begin = now_ns()
    fine = command(this, order_type(kind=fenced, count=4))
    each_ns = (now_ns() - begin)/4
    this%pace = pace_type(2*each_ns + 2000, 20000 + 6000*this%it%ranks, .not. this%oversubscribed)
    this%each_ns = real(merge(this%pace%period_ns, each_ns, this%pace%agreed), real64)
  end subroutine

  function operations_per_batch(this) result(operations)
    type(measurement), intent(inout) :: this
    integer(int64) :: operations, begin
    type(batch_search) :: search
    real(real64) :: took_ns
    search = begin_search(this%plan%budget_ns, this%clock%cost, this%clock%step)
    begin = now_ns()
    do while (.not. search%found)
      took_ns = trial(this, search%operations)
      call note_trial(search, took_ns, real(now_ns() - begin, real64))
    end do
    operations = search%operations
    this%each_ns = search%each_ns
  end function

  function trial(this, operations) result(ns)
    type(measurement), intent(inout) :: this
    integer(int64), intent(in) :: operations
    real(real64) :: ns
    logical :: fine
    fine = command(this, order_type(kind=batches, count=1, operations=operations))
    ns = real(this%own(1, 1), real64)
    this%taken = 0
  end function

  ! When enough is enough: looked at only when the number of samples has doubled.
  subroutine sample(this, result, order)
    type(measurement), intent(inout) :: this
    type(result_type), intent(inout) :: result
    type(order_type), intent(in) :: order
    type(stopping_type) :: stopping
    integer(int64) :: begin, before, now
    logical :: done, single
    single = this%it%cell%mode == 'single'
    stopping = begin_stopping(this%plan%budget_ns, this%plan%precision, single, this%each_ns*order%operations)
    begin = now_ns()
    done = .false.
    do while (.not. done)
      before = now_ns()
      call take_chunk(this, order, stopping%chunk)
      now = now_ns()
      done = is_done(stopping, this%columns(1:this%taken, 1), now - begin, now - before)
    end do
    result%stopped = stopping%stopped
    result%dropped = stopping%dropped
    result%stationary = stopping%stationary
    if (stopping%stationary) return
    result%level_first = median(this%columns(1:this%taken/2, 1))/result%divisor
    result%level_last = median(this%columns(this%taken/2 + 1:this%taken, 1))/result%divisor
  end subroutine

  ! Batches in as many orders as there is room for; of rounds and programs one order at most.
  subroutine take_chunk(this, order, wanted)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    integer(int64), intent(in) :: wanted
    type(order_type) :: next
    integer(int64) :: left
    logical :: fine
    left = wanted
    do while (left > 0)
      next = order
      next%count = min(left, int(longest_chunk, int64))
      if (order%kind == fenced) then
        call take_rounds(this, left)
      else
        fine = command(this, next)
      end if
      left = merge(left - next%count, 0_int64, order%kind == batches)
    end do
  end subroutine

  subroutine take_rounds(this, wanted)
    type(measurement), intent(inout) :: this
    integer(int64), intent(in) :: wanted
    type(order_type) :: order
    integer(int64) :: late_before, began_late_before, held_up, missed
    logical :: fine
    order = order_type(kind=merge(agreed, fenced, this%pace%agreed), count=rounds_of(this%pace, wanted))
    order%period_ns = this%pace%period_ns
    order%start_ns = now_ns() + this%pace%slack_ns
    late_before = this%late
    began_late_before = this%began_late
    fine = command(this, order)
    held_up = this%began_late - began_late_before
    missed = missed_rounds(order%count, this%late - late_before - held_up, held_up)
    if (.not. keeps_pace(this%pace, order%count, missed, this%taken)) this%taken = 0
  end subroutine
end module measure
