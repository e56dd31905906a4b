! Measures one cell: check the payload, find out how long an operation takes, take samples in chunks that double. The
! result is looked at only between chunks; between two clock reads there is the operation alone.
module measure
  use conduct
  use kernels
  use series
  implicit none

  integer, parameter :: capacity = 16384, longest_chunk = 1024, fewest = 3, tail_samples = 10000

  type :: result_type
    character(len=16) :: status = 'ok', mode = 'batch', start = '', stopped = ''
    character(len=96) :: reason = ''
    integer(int64) :: divisor = 1, dropped = 0, late = 0
    logical :: stationary = .true.
  end type

  type :: measurement
    type(plan_type), pointer :: plan => null()
    type(subject_type) :: it
    logical :: crowded = .false.
    real(real64) :: cost_ns = 0
    integer :: taken = 0
    integer(int64) :: late = 0, period_ns = 0, slack_ns = 0
    integer(int64), allocatable :: columns(:, :)   ! (capacity, series) of the job, at rank 0
    integer(int64), allocatable :: own(:, :)       ! (7, longest chunk) of this rank
  end type

contains

  ! What a clock read costs: the quickest of several trials.
  function cost_of_clock() result(ns)
    real(real64) :: ns
    integer :: trial, at
    integer(int64) :: first, last
    ns = huge(ns)
    do trial = 1, 10
      first = now_ns()
      do at = 1, 200
        last = now_ns()
      end do
      ns = min(ns, real(last - first, real64)/200)
    end do
  end function

  subroutine lead(this, result)
    type(measurement), intent(inout) :: this
    type(result_type), intent(out) :: result
    logical :: fine
    fine = .true.
    if (this%plan%check) fine = command(this, order_type(look, 0))
    if (this%plan%check .and. fine) fine = command(this, order_type(look, 1))
    if (fine) then
      call sample_all(this, result)
      if (this%plan%check) fine = command(this, order_type(look, 2))
    end if
    if (.not. fine) then
      result = result_type(status='wrong-bytes', reason='a message arrived with other bytes than were sent')
      this%taken = 0
    end if
    call give(order_type(finish), 1, this%it%ranks)
  end subroutine

  subroutine follow(this)
    type(measurement), intent(inout) :: this
    type(order_type) :: order
    logical :: fine
    do
      order = take_order()
      if (order%kind == finish) return
      fine = carry_out(this, order)
    end do
  end subroutine

  function command(this, order) result(fine)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    logical :: fine
    call give(order, 1, this%it%ranks)
    fine = carry_out(this, order)
  end function

  ! Does what the order says, as every rank of the cell does at this moment. False: wrong bytes somewhere.
  function carry_out(this, order) result(fine)
    type(measurement), intent(inout) :: this
    type(order_type), intent(in) :: order
    logical :: fine
    fine = .true.
    select case (order%kind)
    case (look)
      fine = all_agree(looked_at(this, int(order%count)), this%it%rank, this%it%ranks)
    case (batches)
      call run_batches(this, order)
    case (programs)
      call run_programs(this, order)
    case default
      call run_rounds(this, order)
    end select
  end function

  function looked_at(this, iteration) result(fine)
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
        call await_order_quietly()
      end if
      call run_program(this%it, values)
    else
      call fence(this%it%rank, this%it%ranks)
      call repeat_it(this%it, 1_int64)
    end if
    fine = right(this%it, iteration)
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
    integer(int64) :: target_ns, at, start
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
        cycle
      else
        values(1) = maxval(everyone(2, at, :)) - minval(everyone(1, at, :))
        values(2) = everyone(2, at, 0) - everyone(1, at, 0)
        values(3) = sum(everyone(2, at, :) - everyone(1, at, :))/this%it%ranks
        values(4) = maxval(everyone(2, at, :)) - minval(everyone(2, at, :))
      end if
      call keep(this, values)
    end do
  end subroutine

  subroutine keep(this, values)
    type(measurement), intent(inout) :: this
    integer(int64), intent(in) :: values(columns_most)
    if (this%taken == capacity) return
    this%taken = this%taken + 1
    this%columns(this%taken, :) = values(1:this%it%columns)
  end subroutine

  ! --- decided by rank 0 ----------------------------------------------------------------------------------------------

  subroutine sample_all(this, result)
    type(measurement), intent(inout) :: this
    type(result_type), intent(inout) :: result
    type(order_type) :: order
    integer(int64) :: begin
    logical :: fine, single
    single = this%it%cell%mode == 'single'
    if (this%it%program) then
      order = order_type(kind=programs)
    else if (this%it%collective) then
      begin = now_ns()
      fine = command(this, order_type(kind=fenced, count=4))
      this%period_ns = (now_ns() - begin)/2 + 2000
      this%slack_ns = 20000 + 6000*this%it%ranks
      order = order_type(kind=merge(fenced, agreed, this%crowded))
      result%start = merge('barrier', 'agreed ', this%crowded)
    else
      order = order_type(kind=batches, operations=operations_per_batch(this))
      order%lead_in = merge(2, 0, order%operations > 1)
      if (single) order%operations = 1
      result%divisor = order%operations*this%it%events
    end if
    if (single .or. order%kind /= batches) result%mode = 'single'
    this%taken = 0
    this%late = 0
    call sample(this, result, order)
    result%late = this%late
  end subroutine

  ! So many that a batch is long against the clock, and short against the budget; at most about 1 ms.
  function operations_per_batch(this) result(operations)
    type(measurement), intent(inout) :: this
    integer(int64) :: operations, begin
    real(real64) :: least, wanted, took, each
    least = max(200*this%cost_ns, 20.0_real64)
    wanted = min(max(real(this%plan%budget_ns, real64)/2000, least), max(least, 1e6_real64))
    begin = now_ns()
    each = trial(this, 1_int64)
    operations = 1
    do while (now_ns() - begin < this%plan%budget_ns/10)
      took = trial(this, operations)
      each = took/operations
      if (took >= 0.5_real64*wanted) exit
      operations = operations*2
    end do
    operations = max(1_int64, int(wanted/max(each, 0.1_real64) + 0.999_real64, int64))
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
    type(order_type), intent(inout) :: order
    integer(int64) :: begin, before, now, budget_ns, left_ns, each_ns, chunk, late_before
    integer :: extended, had
    logical :: fine
    begin = now_ns()
    budget_ns = this%plan%budget_ns
    chunk = fewest
    extended = 0
    do
      order%count = min(chunk, int(longest_chunk, int64), int(capacity - this%taken, int64))
      if (order%kind == agreed) then
        order%count = min(order%count, max(10_int64, 2000000/this%period_ns))
        order%period_ns = this%period_ns
        order%start_ns = now_ns() + this%slack_ns
      end if
      before = now_ns()
      had = this%taken
      late_before = this%late
      fine = command(this, order)
      now = now_ns()
      if (20*(this%late - late_before) > order%count) then
        this%period_ns = this%period_ns + this%period_ns/2
        this%slack_ns = min(2*this%slack_ns, 20000000_int64)
      end if
      each_ns = max(1_int64, (now - before)/max(1, this%taken - had))
      call mser5(this%columns(1:this%taken, 1), result%dropped, result%stationary)
      left_ns = budget_ns - (now - begin)
      if (this%taken >= capacity) then
        result%stopped = 'count'
      else if (result%stationary .and. precise(this, int(result%dropped))) then
        result%stopped = 'precision'
      else if (left_ns <= 0 .and. (this%taken >= fewest .or. this%taken == had)) then
        if (result%stationary .or. extended == 3 .or. this%taken < 20) then
          result%stopped = 'budget'
        else
          budget_ns = budget_ns + this%plan%budget_ns/2
          extended = extended + 1
        end if
      end if
      if (result%stopped /= '') exit
      chunk = min(int(max(this%taken, 10), int64), max(1_int64, (budget_ns - (now - begin))/each_ns))
      if (this%taken < fewest) chunk = min(chunk, int(fewest - this%taken, int64))
    end do
    if (this%taken < 20) then
      result%stationary = .true.
      result%dropped = 0
    end if
  end subroutine

  function precise(this, dropped) result(yes)
    type(measurement), intent(in) :: this
    integer, intent(in) :: dropped
    logical :: yes
    yes = this%taken - dropped >= merge(tail_samples, 64, this%it%cell%mode == 'single')
    if (yes) yes = median_precision(this%columns(dropped + 1:this%taken, 1)) <= this%plan%precision
  end function
end module measure
