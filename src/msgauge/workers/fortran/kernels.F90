! The kernels in Fortran, twins of native/kernels: the same options, the same series, answers checked the same way.
module kernels
  use protocol
  implicit none

  ! Between spaces; msgauge reads the list from here.
  character(len=*), parameter :: kernel_names = ' pingpong bcast pi matvec '
  integer, parameter :: columns_most = 8
  integer, parameter, private :: ping_tag = 1
  real(real64), parameter, private :: pi = 3.14159265358979323846_real64

  type :: subject_type
    type(cell_type) :: cell
    integer :: rank = 0, ranks = 2, events = 1, columns = 1
    character(len=96) :: names = 'time'
    logical :: collective = .false., program = .false.
    integer(int8), allocatable :: out(:), in(:)
    integer(int64) :: n = 0, serial_ns = 0
    integer(int64) :: serial_runs(9) = 0 ! three of each of three checks
    integer :: runs = 0
    integer :: width = 0
    real(real64) :: answer = 0, expected = 0
    real(real64), allocatable :: matrix(:, :), mine(:, :), x(:), x_mine(:), part(:), y(:), y_expected(:)
  end type

contains

  ! Why a cell cannot be measured by this worker, '' when it can.
  function objection(cell, size_of_job) result(why)
    type(cell_type), intent(in) :: cell
    integer, intent(in) :: size_of_job
    character(len=:), allocatable :: why
    why = ''
    if (index(kernel_names, ' ' // trim(cell%kernel) // ' ') == 0) then
      why = 'the worker in Fortran has no kernel ' // trim(cell%kernel)
    else if (cell%ranks > size_of_job) then
      why = 'needs ' // text_of(int(cell%ranks, int64)) // ' ranks, the launch has ' // text_of(int(size_of_job, int64))
    else if (cell%ranks < 2 .and. index(' pingpong bcast ', ' ' // trim(cell%kernel) // ' ') > 0) then
      why = 'needs at least 2 ranks'
    else if (cell%cache /= 'hot') then
      why = 'the worker in Fortran has no cache mode ' // trim(cell%cache)
    else if (cell%bytes > huge(1)) then
      why = 'MPI cannot count a message of so many bytes'
    else if (.not. knows_options(cell)) then
      why = 'the worker in Fortran does not know' // trim(cell%options)
    end if
  end function

  function knows_options(cell) result(yes)
    type(cell_type), intent(in) :: cell
    logical :: yes
    integer :: code
    integer(int64) :: number
    select case (cell%kernel)
    case ('pi', 'matvec')
      yes = index(cell%options, '=') == index(cell%options, '=', back=.true.)
      if (yes .and. cell%options /= ' ') then
        call to_whole(field(cell%options, 'n'), number, code)
        yes = code == 0 .and. number > 0
      end if
    case ('bcast')
      yes = any(cell%options == [character(len=32) :: ' ', ' algorithm=native', ' root=0', ' algorithm=native root=0', &
                                 ' root=0 algorithm=native'])
    case default
      yes = cell%options == ' '
    end select
  end function

  subroutine begin_subject(it, cell, rank, code)
    type(subject_type), intent(inout) :: it
    type(cell_type), intent(in) :: cell
    integer, intent(in) :: rank
    integer, intent(out) :: code
    it%cell = cell
    it%rank = rank
    it%ranks = cell%ranks
    code = 0
    select case (cell%kernel)
    case ('pingpong')
      it%events = 2
      it%ranks = 2
      allocate (it%out(cell%bytes), it%in(cell%bytes), stat=code)
    case ('bcast')
      it%collective = .true.
      it%columns = 5
      it%names = 'completion root mean_rank imbalance start_skew'
      allocate (it%out(cell%bytes), stat=code)
    case ('pi')
      it%program = .true.
      it%columns = 6
      it%names = 'time compute communication cpu serial reduce'
      it%n = number_of(cell, 1000000_int64)
    case ('matvec')
      it%program = .true.
      it%columns = 7
      it%names = 'time compute communication cpu serial scatter reduce'
      it%n = number_of(cell, 480_int64)
      call begin_matvec(it, code)
    end select
  end subroutine

  function number_of(cell, standard) result(number)
    type(cell_type), intent(in) :: cell
    integer(int64), intent(in) :: standard
    integer(int64) :: number
    integer :: code
    call to_whole(field(cell%options, 'n'), number, code)
    if (code /= 0) number = standard
  end function

  subroutine begin_matvec(it, code)
    type(subject_type), intent(inout) :: it
    integer, intent(out) :: code
    integer :: n
    n = int(it%n)
    it%width = (n + it%ranks - 1)/it%ranks
    allocate (it%mine(n, it%width), it%x_mine(it%width), it%part(n), it%y(n), it%y_expected(n), stat=code)
    if (code == 0 .and. it%rank == 0) then
      allocate (it%matrix(n, it%width*it%ranks), it%x(it%width*it%ranks), stat=code)
    else if (code == 0) then
      allocate (it%matrix(1, 1), it%x(1), stat=code)
    end if
  end subroutine

  ! A byte that tells rank, iteration and place apart.
  pure function pattern(rank, iteration, bytes) result(values)
    integer, intent(in) :: rank, iteration
    integer(int64), intent(in) :: bytes
    integer(int8) :: values(bytes)
    integer(int64) :: at
    do at = 1, bytes
      values(at) = int(mod(rank*101 + iteration*29 + 7*mod(at, 251_int64), 251_int64) - 125, int8)
    end do
  end function

  subroutine prepare(it, iteration)
    type(subject_type), intent(inout) :: it
    integer, intent(in) :: iteration
    integer :: at
    select case (it%cell%kernel)
    case ('pingpong')
      it%out = pattern(it%rank, iteration, it%cell%bytes)
      it%in = -18_int8
    case ('bcast')
      it%out = -18_int8
      if (it%rank == 0) it%out = pattern(0, iteration, it%cell%bytes)
    case ('matvec')
      it%mine = -1
      it%x_mine = -1
      it%y = -1
      if (it%rank == 0) then
        it%matrix = 0
        it%x = 0
        do at = 1, int(it%n)
          it%matrix(:, at) = entries(iteration, at, int(it%n))
        end do
        it%x(1:it%n) = entries(iteration, 0, int(it%n))
      end if
    end select
  end subroutine

  ! Whole numbers of 20 bits: sums of their products are exact, so that the answer is the serial one to the last bit.
  pure function entries(iteration, column, n) result(values)
    integer, intent(in) :: iteration, column, n
    real(real64) :: values(n)
    integer :: row
    do row = 1, n
      values(row) = real(mod(row*7919_int64 + column*104729_int64 + iteration*1299709_int64, 1048573_int64), real64) + 1
    end do
  end function

  function verify_payload(it, iteration) result(yes)
    type(subject_type), intent(in) :: it
    integer, intent(in) :: iteration
    logical :: yes
    yes = .true.
    select case (it%cell%kernel)
    case ('pingpong')
      yes = all(it%in == pattern(1 - it%rank, iteration, it%cell%bytes))
    case ('bcast')
      yes = all(it%out == pattern(0, iteration, it%cell%bytes))
    case ('pi')
      if (it%rank == 0) yes = it%answer == it%expected .and. abs(it%answer - pi) <= 1e-10_real64
    case ('matvec')
      if (it%rank == 0) yes = all(it%y == it%y_expected)
    end select
  end function

  ! The operation, so many times: the timed code of the kernels that do not stamp themselves.
  subroutine repeat_it(it, count)
    type(subject_type), intent(inout) :: it
    integer(int64), intent(in) :: count
    integer(int64) :: at
    integer :: length, code, status(MPI_STATUS_SIZE)
    length = int(it%cell%bytes)
    if (it%collective) then
      do at = 1, count
        call MPI_Bcast(it%out, length, MPI_BYTE, 0, MPI_COMM_WORLD, code)
      end do
    else if (it%rank == 0) then
      do at = 1, count
        call MPI_Send(it%out, length, MPI_BYTE, 1, ping_tag, MPI_COMM_WORLD, code)
        call MPI_Recv(it%in, length, MPI_BYTE, 1, ping_tag, MPI_COMM_WORLD, status, code)
      end do
    else
      do at = 1, count
        call MPI_Recv(it%in, length, MPI_BYTE, 0, ping_tag, MPI_COMM_WORLD, status, code)
        call MPI_Send(it%out, length, MPI_BYTE, 0, ping_tag, MPI_COMM_WORLD, code)
      end do
    end if
  end subroutine

  ! --- programs that stamp themselves -------------------------------------------------------------------------------

  ! One operation: its times on this rank, in the order of `names`.
  subroutine run_program(it, values)
    type(subject_type), intent(inout) :: it
    integer(int64), intent(out) :: values(columns_most)
    integer(int64) :: begin
    real(real64) :: cpu_before, cpu_after
    values = 0
    call cpu_time(cpu_before)
    begin = now_ns()
    if (it%cell%kernel == 'pi') then
      call run_pi(it, values)
    else
      call run_matvec(it, values)
    end if
    values(1) = now_ns() - begin
    call cpu_time(cpu_after)
    values(3) = sum(values(6:columns_most - 1))
    values(4) = int((cpu_after - cpu_before)*1e9_real64, int64)
    values(5) = it%serial_ns
    values(columns_most) = begin ! by a clock that all ranks read
  end subroutine

  subroutine run_pi(it, values)
    type(subject_type), intent(inout) :: it
    integer(int64), intent(inout) :: values(columns_most)
    integer(int64) :: before
    real(real64) :: part(1), total(1)
    integer :: code
    before = now_ns()
    part(1) = area_of(it, it%rank)
    values(2) = now_ns() - before
    before = now_ns()
    total = 0
    call MPI_Reduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, code)
    values(6) = now_ns() - before
    it%answer = total(1)
  end subroutine

  subroutine run_matvec(it, values)
    type(subject_type), intent(inout) :: it
    integer(int64), intent(inout) :: values(columns_most)
    integer(int64) :: before
    integer :: code, n, column
    n = int(it%n)
    before = now_ns()
    call MPI_Scatter(it%matrix, n*it%width, MPI_DOUBLE_PRECISION, it%mine, n*it%width, MPI_DOUBLE_PRECISION, 0, &
                     MPI_COMM_WORLD, code)
    call MPI_Scatter(it%x, it%width, MPI_DOUBLE_PRECISION, it%x_mine, it%width, MPI_DOUBLE_PRECISION, 0, &
                     MPI_COMM_WORLD, code)
    values(6) = now_ns() - before
    before = now_ns()
    it%part = 0
    do column = 1, it%width
      it%part = it%part + it%mine(:, column)*it%x_mine(column)
    end do
    values(2) = now_ns() - before
    before = now_ns()
    call MPI_Reduce(it%part, it%y, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, code)
    values(7) = now_ns() - before
  end subroutine

  ! The same answer by rank 0 alone, up to three times in each check; the median of all its times is kept.
  subroutine run_serial(it)
    type(subject_type), intent(inout) :: it
    integer(int64), parameter :: patience_ns = 100000000
    integer(int64) :: before, took, together
    integer :: first
    together = 0
    first = it%runs
    do while (it%runs < first + 3 .and. it%runs < size(it%serial_runs) .and. together < patience_ns)
      before = now_ns()
      call answer_alone(it)
      took = max(1_int64, now_ns() - before)
      together = together + took
      it%runs = it%runs + 1
      it%serial_runs(it%runs) = took
    end do
    it%serial_ns = median_of(it%serial_runs(:it%runs))
  end subroutine

  ! The one in the middle, of an even number the mean of both.
  pure function median_of(values) result(middle)
    integer(int64), intent(in) :: values(:)
    integer(int64) :: middle, ordered(size(values)), value
    integer :: i, place
    do i = 1, size(values)
      value = values(i)
      place = 1 + count(ordered(:i - 1) <= value)
      ordered(place + 1:i) = ordered(place:i - 1)
      ordered(place) = value
    end do
    middle = (ordered((size(values) + 1)/2) + ordered(size(values)/2 + 1))/2
  end function

  subroutine answer_alone(it)
    type(subject_type), intent(inout) :: it
    integer :: other
    if (it%cell%kernel == 'pi') then
      it%expected = 0
      do other = 0, it%ranks - 1
        it%expected = it%expected + area_of(it, other)
      end do
    else
      it%y_expected = 0
      do other = 1, int(it%n)
        it%y_expected = it%y_expected + it%matrix(:, other)*it%x(other)
      end do
    end if
  end subroutine

  ! A rank's stretch of the n trapezoids, in whole multiples of 2^-50, so that parts add up exactly in any order.
  function area_of(it, rank) result(area)
    type(subject_type), intent(in) :: it
    integer, intent(in) :: rank
    real(real64) :: area, total, width
    integer(int64) :: first, last, at
    area = 0
    first = it%n*rank/it%ranks
    last = it%n*(rank + 1)/it%ranks
    if (first >= last) return
    width = 1/real(it%n, real64)
    total = 0.5_real64*(4/(1 + (first*width)**2) + 4/(1 + (last*width)**2))
    do at = first + 1, last - 1
      total = total + 4/(1 + (at*width)**2)
    end do
    area = scale(anint(scale(total/real(it%n, real64), 50)), -50)
  end function

  ! The job's value of a series of a program out of every rank's, as native/application.hpp does it.
  pure function combined(series, of_ranks) result(value)
    integer, intent(in) :: series
    integer(int64), intent(in) :: of_ranks(:)
    integer(int64) :: value
    select case (series)
    case (1, 5)
      value = of_ranks(1)
    case (4)
      value = sum(of_ranks)
    case (2, 3)
      value = sum(of_ranks)/size(of_ranks)
    case default
      value = maxval(of_ranks)
    end select
  end function
end module kernels
