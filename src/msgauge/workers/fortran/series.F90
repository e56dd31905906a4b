! Statistics on one series of samples, as native/series.hpp: where the warm-up ends, how well the middle is known.
module series
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: mser5, median_precision, median

contains

  ! How many samples at the front belong to the transient, and whether it ended within the first half.
  ! Source: White 1997, "An effective truncation heuristic for bias reduction in simulation output".
  subroutine mser5(values, dropped, stationary)
    integer(int64), intent(in) :: values(:)
    integer(int64), intent(out) :: dropped
    logical, intent(out) :: stationary
    integer(int64), allocatable :: ordered(:)
    real(real64), allocatable :: means(:)
    real(real64) :: low, high, width, origin, total, squares, best, best_beyond, spread
    integer :: groups, left, latest, fewest, kept, cut
    dropped = 0
    groups = size(values)/5
    stationary = size(values) < 5
    if (groups < 4) return
    ordered = sorted(values)
    low = real(ordered(size(values)/4 + 1), real64)
    high = real(ordered(size(values)*3/4 + 1), real64)
    width = high - low
    low = low - 3*width
    high = high + 3*width
    origin = real(values(size(values)/2 + 1), real64)
    allocate (means(groups))
    do left = 1, groups
      means(left) = sum(min(max(real(values(left*5 - 4:left*5), real64), low), high) - origin)/5
    end do
    latest = groups/2
    fewest = max(10, groups/10)
    total = 0
    squares = 0
    best = huge(best)
    best_beyond = huge(best)
    cut = 0
    do left = groups - 1, 0, -1
      total = total + means(left + 1)
      squares = squares + means(left + 1)**2
      kept = groups - left
      spread = max(0.0_real64, squares - total*total/kept)/(real(kept, real64)*kept)
      if (left > latest) then
        if (kept >= fewest) best_beyond = min(best_beyond, spread)
      else if (spread <= best) then
        best = spread
        cut = left
      end if
    end do
    dropped = int(cut, int64)*5
    stationary = cut < latest .and. best <= best_beyond
  end subroutine

  ! Half the width of the 95 % order-statistics interval of the median, as a fraction of it.
  function median_precision(values) result(fraction)
    integer(int64), intent(in) :: values(:)
    real(real64) :: fraction, reach
    integer(int64), allocatable :: ordered(:)
    integer :: low, high, count
    count = size(values)
    fraction = huge(fraction)
    if (count < 6) return
    ordered = sorted(values)
    reach = 0.98_real64*sqrt(real(count, real64))
    low = max(0, floor(0.5_real64*count - reach))
    high = min(count - 1, ceiling(0.5_real64*count + reach))
    if (ordered(1) == ordered(count)) then
      fraction = 0   ! simulated time that stands still
      return
    end if
    if (ordered(count/2 + 1) > 0) fraction = 0.5_real64*real(ordered(high + 1) - ordered(low + 1), real64) &
                                             /real(ordered(count/2 + 1), real64)
  end function

  function median(values) result(middle)
    integer(int64), intent(in) :: values(:)
    real(real64) :: middle
    integer(int64), allocatable :: ordered(:)
    integer :: count
    count = size(values)
    ordered = sorted(values)
    middle = 0.5_real64*(real(ordered((count + 1)/2), real64) + real(ordered(count/2 + 1), real64))
  end function

  ! By merging runs that double.
  function sorted(values) result(ordered)
    integer(int64), intent(in) :: values(:)
    integer(int64), allocatable :: ordered(:), other(:)
    integer :: run, first, middle, last, a, b, at
    ordered = values
    allocate (other(size(values)))
    run = 1
    do while (run < size(values))
      do first = 1, size(values), 2*run
        middle = min(first + run, size(values) + 1)
        last = min(first + 2*run, size(values) + 1)
        a = first
        b = middle
        do at = first, last - 1
          if (a < middle .and. (b >= last .or. ordered(min(a, middle - 1)) <= ordered(min(b, size(values))))) then
            other(at) = ordered(a)
            a = a + 1
          else
            other(at) = ordered(b)
            b = b + 1
          end if
        end do
      end do
      ordered = other
      run = 2*run
    end do
  end function
end module series
