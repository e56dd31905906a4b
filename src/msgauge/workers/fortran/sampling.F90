! How a cell is sampled: the same decisions as native/sampling.hpp (docs/reference/sampling-policy.md). Pure.
module sampling
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use series
  implicit none

  integer, parameter :: most_batches = 65536, most_singles = 131072, longest_chunk = 1024
  integer, parameter :: batch_samples = 64, tail_samples = 10000, fewest = 3, few = 20
  integer, parameter :: most_extensions = 3, all_late_limit = 4, most_without_gain = 2*all_late_limit

  ! Finds how many operations make a batch: try next_operations(search) of them, then note the time, while searching.
  type :: batch_search
    integer(int64) :: budget_ns = 0, operations = 1
    real(real64) :: wanted_ns = 0, each_ns = 0, elapsed_ns = 0, best_ns = 0
    integer :: trials = 0, repeated = 0
    logical :: found = .false.
  end type

  ! Says after each chunk whether a cell is done, and how many samples to take next.
  type :: stopping_type
    integer(int64) :: budget_ns = 0, allowed_ns = 0, chunk = 0
    real(real64) :: precision = 0
    integer :: capacity = 0, least = 0, had = 0, extensions = 0, without_gain = 0
    integer(int64) :: dropped = 0
    logical :: stationary = .false.
    character(len=16) :: stopped = ''
  end type

  ! The appointments of rounds that begin at an agreed time; else they begin behind a barrier.
  type :: pace_type
    integer(int64) :: period_ns = 0, slack_ns = 0
    logical :: agreed = .true.
    integer :: all_late = 0
  end type

  ! The cost of a reading and the step of a clock, both in its ticks.
  type :: clock_type
    real(real64) :: cost = 0, step = 1e9_real64   ! no step was seen
  end type

contains

  ! A batch is long against the clock, short against the budget, at most about 1 ms.
  function begin_search(budget_ns, cost_ns, resolution_ns) result(search)
    integer(int64), intent(in) :: budget_ns
    real(real64), intent(in) :: cost_ns, resolution_ns
    type(batch_search) :: search
    real(real64) :: least
    least = max(200*cost_ns, 20*resolution_ns)
    search%budget_ns = budget_ns
    search%wanted_ns = min(max(real(budget_ns, real64)/2000, least), max(least, 1e6_real64))
  end function

  ! After a trial of search%operations that took so long, when so much time has passed since the first.
  subroutine note_trial(search, took_ns, elapsed_ns)
    type(batch_search), intent(inout) :: search
    real(real64), intent(in) :: took_ns, elapsed_ns
    search%trials = search%trials + 1
    if (search%trials == 1) then   ! the very first may pay for connections
      search%each_ns = took_ns
    else
      search%best_ns = merge(took_ns, min(took_ns, search%best_ns), search%repeated == 0)
      if (search%repeated > 0 .or. took_ns >= 0.5_real64*search%wanted_ns) search%repeated = search%repeated + 1
      if (search%repeated == 1 .or. search%repeated == 2) return   ! one may be disturbed: the best of three
      search%each_ns = search%best_ns/search%operations
      search%found = search%repeated > 0 .and. search%best_ns >= 0.5_real64*search%wanted_ns
      search%repeated = 0
      if (.not. search%found) search%operations = search%operations*2
    end if
    if (elapsed_ns >= real(search%budget_ns, real64)/10) search%found = .true.
    if (search%found) search%operations = max(1_int64, int(search%wanted_ns/max(search%each_ns, 0.1_real64) &
                                                           + 0.999_real64, int64))
  end subroutine

  ! sample_ns: about how long one sample takes. single: every operation is timed, for the tails.
  function begin_stopping(budget_ns, precision, single, sample_ns) result(this)
    integer(int64), intent(in) :: budget_ns
    real(real64), intent(in) :: precision, sample_ns
    logical, intent(in) :: single
    type(stopping_type) :: this
    real(real64) :: room
    this%budget_ns = budget_ns
    this%allowed_ns = budget_ns
    this%precision = precision
    this%capacity = merge(most_singles, most_batches, single)
    this%least = merge(tail_samples, batch_samples, single)
    room = real(budget_ns, real64)/max(1.0_real64, sample_ns)
    this%chunk = min(max(int(min(room, 10.0_real64), int64), int(fewest, int64)), 10_int64)
  end function

  ! Looks at all samples so far. elapsed_ns: since the first chunk; took_ns: the last chunk.
  function is_done(this, values, elapsed_ns, took_ns) result(done)
    type(stopping_type), intent(inout) :: this
    integer(int64), intent(in) :: values(:), elapsed_ns, took_ns
    logical :: done
    integer :: count, gained
    count = size(values)
    gained = max(1, count - this%had)
    this%without_gain = merge(0, this%without_gain + 1, count > this%had)
    this%had = count
    call mser5(values, this%dropped, this%stationary)
    call find_reason(this, values, elapsed_ns)
    done = this%stopped /= ''
    if (.not. done) then
      call plan_chunk(this, count, elapsed_ns, max(1_int64, took_ns/gained))
    else if (count < few) then
      this%dropped = 0
      this%stationary = .true.
    end if
  end function

  ! Why the cell is done; may extend the budget of a series that is not stationary yet.
  subroutine find_reason(this, values, elapsed_ns)
    type(stopping_type), intent(inout) :: this
    integer(int64), intent(in) :: values(:), elapsed_ns
    integer :: count
    count = size(values)
    if (count >= this%capacity) then
      this%stopped = 'count'
    else if (this%stationary .and. is_precise(this, values)) then
      this%stopped = 'precision'
    else if (elapsed_ns >= this%allowed_ns .and. (count >= fewest .or. this%without_gain > most_without_gain)) then
      if (this%stationary .or. this%extensions == most_extensions .or. count < few) then
        this%stopped = 'budget'
      else
        this%allowed_ns = this%allowed_ns + this%budget_ns/2
        this%extensions = this%extensions + 1
      end if
    end if
  end subroutine

  function is_precise(this, values) result(yes)
    type(stopping_type), intent(in) :: this
    integer(int64), intent(in) :: values(:)
    logical :: yes
    yes = size(values) - this%dropped >= this%least
    if (yes) yes = median_precision(values(this%dropped + 1:)) <= this%precision
  end function

  subroutine plan_chunk(this, count, elapsed_ns, each_ns)
    type(stopping_type), intent(inout) :: this
    integer, intent(in) :: count
    integer(int64), intent(in) :: elapsed_ns, each_ns
    this%chunk = min(int(max(count, 10), int64), max(1_int64, (this%allowed_ns - elapsed_ns)/each_ns), &
                     int(this%capacity - count, int64))
    if (count < fewest) this%chunk = min(this%chunk, int(fewest - count, int64))
  end subroutine

  ! Each column is a trial of readings in a row. A step as long as a reading says only that the clock is at least that
  ! fine, unless it stands still between one reading in twenty and the next.
  function clock_facts(trials) result(clock)
    integer(int64), intent(in) :: trials(:, :)
    type(clock_type) :: clock
    integer(int64) :: steps(size(trials, 1) - 1, size(trials, 2))
    integer :: last
    last = size(trials, 1)
    steps = trials(2:, :) - trials(:last - 1, :)
    clock%cost = minval(real(trials(last, :) - trials(1, :), real64))/(last - 1)
    if (any(steps > 0)) clock%step = real(minval(steps, steps > 0), real64)
    if (clock%step <= 2*clock%cost .and. 20*count(steps == 0) < size(steps)) clock%step = 1
  end function

  ! A rank that begins a round later than this after the agreed time was held up between its arrival and its start.
  function start_limit_ns(empty_round_ns, resolution_ns) result(ns)
    integer(int64), intent(in) :: empty_round_ns
    real(real64), intent(in) :: resolution_ns
    integer(int64) :: ns
    ns = max(8*empty_round_ns, int(2*resolution_ns, int64))
  end function

  ! Rounds of an order that tell whether appointments can be kept: those reached late; all where no round is left.
  function missed_rounds(count, reached_late, began_late) result(missed)
    integer(int64), intent(in) :: count, reached_late, began_late
    integer(int64) :: missed
    missed = merge(count, reached_late, reached_late + began_late >= count)
  end function

  ! Rounds of the next order: few are lost to a late rank where orders are short.
  function rounds_of(pace, wanted) result(count)
    type(pace_type), intent(in) :: pace
    integer(int64), intent(in) :: wanted
    integer(int64) :: count
    count = min(wanted, int(longest_chunk, int64), max(10_int64, 2000000_int64/max(1_int64, pace%period_ns)))
  end function

  ! After an order of count rounds of which late were. good: rounds in time so far. False: begin anew behind barriers.
  function keeps_pace(pace, count, late, good) result(yes)
    type(pace_type), intent(inout) :: pace
    integer(int64), intent(in) :: count, late
    integer, intent(in) :: good
    logical :: yes
    pace%all_late = merge(0, pace%all_late + 1, late < count)
    yes = .not. (pace%agreed .and. pace%all_late >= all_late_limit .and. good < few)
    if (.not. yes) then
      pace%agreed = .false.
    else if (20*late > count) then
      pace%period_ns = pace%period_ns + pace%period_ns/2
      pace%slack_ns = min(2*pace%slack_ns, 20000000_int64)
    end if
  end function
end module sampling
