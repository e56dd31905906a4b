! The wire protocol (docs/reference/wire-protocol.md): text plan in, binary frames out.
module protocol
  use binding
  implicit none

  integer, parameter :: line_length = 1024

  type :: cell_type
    integer(int64) :: id = 0, bytes = 0
    integer :: ranks = 2
    character(len=32) :: kernel = '', mode = 'batch', cache = 'hot'
    character(len=256) :: options = ''   ! " name=value name=value "
  end type

  type :: plan_type
    integer :: ranks = 0, cores = 1
    character(len=line_length) :: pin = ''   ! the core of each rank, separated by commas
    integer(int64) :: budget_ns = 50000000_int64, limit_ns = 60000000000_int64
    real(real64) :: precision = 0.01_real64
    logical :: check = .true.
    type(cell_type), allocatable :: cells(:)
  end type

  integer, private :: samples = -1

contains

  ! Ends the program with code 65 when the plan cannot be read or is cut off.
  subroutine read_plan(path, plan)
    character(len=*), intent(in) :: path
    type(plan_type), intent(out) :: plan
    character(len=line_length) :: line, said
    type(cell_type) :: cell
    integer :: unit, code, number
    allocate (plan%cells(0))
    number = 1
    open (newunit=unit, file=path, status='old', action='read', iostat=code)
    if (code == 0) read (unit, '(a)', iostat=code) line
    if (code /= 0 .or. line /= 'msgauge-plan 1') call refuse(number, "a plan begins with 'msgauge-plan 1'")
    do
      number = number + 1
      read (unit, '(a)', iostat=code) line
      if (code /= 0) call refuse(number, "the plan is cut off, 'end' is missing")
      select case (line(1:scan(line, ' ') - 1))
      case ('launch')
        plan%ranks = int(whole(line, 'ranks', number))
        plan%cores = int(whole(line, 'cores', number))
        plan%pin = field(line, 'pin')
      case ('limits')
        plan%budget_ns = whole(line, 'cell_budget_ns', number)
        plan%limit_ns = whole(line, 'launch_limit_ns', number)
        said = field(line, 'cell_precision')
        read (said, *, iostat=code) plan%precision
        if (code /= 0) call refuse(number, 'cell_precision is not a number')
        plan%check = field(line, 'check') == 'yes'
      case ('cell')
        cell = cell_type()
        cell%id = whole(line, 'id', number)
        cell%kernel = field(line, 'kernel')
        cell%bytes = whole(line, 'bytes', number)
        cell%ranks = int(whole(line, 'ranks', number))
        cell%mode = field(line, 'mode')
        cell%cache = field(line, 'cache')
        cell%options = options_of(line)
        plan%cells = [plan%cells, cell]
      case ('end')
        exit
      end select
    end do
    close (unit)
    if (plan%ranks == 0) call refuse(number, 'the plan has no launch line')
  end subroutine

  subroutine refuse(number, why)
    integer, intent(in) :: number
    character(len=*), intent(in) :: why
    integer :: code
    write (0, '(a,i0,2a)') 'msgauge: the plan cannot be carried out: line ', number, ': ', why
    call MPI_Abort(MPI_COMM_WORLD, 65, code)
    stop 65
  end subroutine

  ! The value of a field of a line, '' when it is not there.
  function field(line, name) result(value)
    character(len=*), intent(in) :: line, name
    character(len=:), allocatable :: value
    integer :: from, length
    value = ''
    from = index(line, ' ' // name // '=')
    if (from == 0) return
    from = from + len(name) + 2
    length = scan(line(from:), ' ') - 1
    if (length < 0) length = len(line) - from + 1
    value = line(from:from + length - 1)
  end function

  function whole(line, name, number) result(value)
    character(len=*), intent(in) :: line, name
    integer, intent(in) :: number
    integer(int64) :: value
    integer :: code
    call to_whole(field(line, name), value, code)
    if (code /= 0) call refuse(number, name // ' is missing or is no whole number')
  end function

  ! The number at a place (from 0) of a list with commas, -1 when it is not so long.
  function item(list, place) result(number)
    character(len=*), intent(in) :: list
    integer, intent(in) :: place
    integer :: number, from, at, length, code
    integer(int64) :: value
    number = -1
    from = 1
    do at = 1, place
      length = index(list(from:), ',')
      if (length == 0) return
      from = from + length
    end do
    length = scan(list(from:) // ' ', ', ') - 1
    call to_whole(list(from:from + length - 1), value, code)
    if (code == 0) number = int(value)
  end function

  ! The number in a text; `code` is not 0 when there is none.
  subroutine to_whole(text, value, code)
    character(len=*), intent(in) :: text
    integer(int64), intent(out) :: value
    integer, intent(out) :: code
    character(len=32) :: digits
    value = 0
    digits = text
    code = 1
    if (text /= '') read (digits, '(i32)', iostat=code) value
  end subroutine

  function options_of(line) result(text)
    character(len=*), intent(in) :: line
    character(len=256) :: text
    integer :: from, length
    text = ' '
    from = index(line, ' opt.')
    do while (from > 0)
      length = scan(line(from + 1:), ' ')
      text = trim(text) // ' ' // line(from + 5:from + length)
      if (index(line(from + length:), ' opt.') == 0) exit
      from = from + length - 1 + index(line(from + length:), ' opt.')
    end do
  end function

  ! --- frames -------------------------------------------------------------------------------------------------------

  subroutine open_samples(path)
    character(len=*), intent(in) :: path
    integer :: code
    open (newunit=samples, file=path, access='stream', form='unformatted', position='append', action='write', &
          iostat=code)
    if (code /= 0) then
      write (0, '(2a)') 'msgauge: cannot write ', path
      call MPI_Abort(MPI_COMM_WORLD, 73, code)
    end if
  end subroutine

  ! A header line and its values; flushed, so that a launch that dies keeps what came before. Little-endian machines.
  subroutine write_frame(head, values)
    character(len=*), intent(in) :: head
    integer(int64), intent(in) :: values(:)
    write (samples) trim(head) // ' count=' // text_of(size(values, kind=int64)) // achar(10)
    if (size(values) > 0) write (samples) values
    flush (samples)
  end subroutine

  subroutine write_fact(head)
    character(len=*), intent(in) :: head
    integer(int64) :: nothing(0)
    call write_frame(head, nothing)
  end subroutine

  function text_of(number) result(text)
    integer(int64), intent(in) :: number
    character(len=:), allocatable :: text
    character(len=24) :: digits
    write (digits, '(i0)') number
    text = trim(digits)
  end function

  ! Everything but letters, digits and a few harmless signs becomes %XX.
  function encoded(text) result(out)
    character(len=*), intent(in) :: text
    character(len=:), allocatable :: out
    character(len=3) :: code
    integer :: at
    out = ''
    do at = 1, len_trim(text)
      if (verify(text(at:at), 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/+,@()[]') == 0) then
        out = out // text(at:at)
      else
        write (code, '("%",z2.2)') iachar(text(at:at))
        out = out // code
      end if
    end do
  end function

  ! What a rank can say of itself from inside.
  function place_of(rank) result(text)
    use, intrinsic :: iso_c_binding, only: c_int, c_long
    integer, intent(in) :: rank
    character(len=:), allocatable :: text
    integer(c_long) :: limits(2)
    limits = 0
    if (c_getrlimit(7_c_int, limits) /= 0) limits = 0   ! 7: RLIMIT_NOFILE of Linux
    text = ' rank=' // text_of(int(rank, int64)) // ' host=' // encoded(host_name()) // ' pid=' &
           // text_of(int(c_getpid(), int64)) // ' cpus=' // encoded(allowed_processors()) // ' cpu=-1' &
           // ' session=' // text_of(int(c_getsid(0_c_int), int64)) // ' cgroup=' // encoded(own_cgroup()) &
           // ' open_files=' // text_of(limits(1)) // ' policy=' // text_of(int(c_getscheduler(0_c_int), int64)) &
           // ' nice=' // text_of(int(c_getpriority(0_c_int, 0_c_int), int64))
  end function

  function usage_of(rank) result(text)
    use, intrinsic :: iso_c_binding, only: c_int, c_long
    integer, intent(in) :: rank
    character(len=:), allocatable :: text
    integer(c_long) :: used(18)
    used = 0
    if (c_getrusage(0_c_int, used) /= 0) used = 0
    text = ' rank=' // text_of(int(rank, int64)) // ' user_ns=' // text_of(used(1)*1000000000_int64 + used(2)*1000) &
           // ' system_ns=' // text_of(used(3)*1000000000_int64 + used(4)*1000) // ' voluntary=' // text_of(used(17)) &
           // ' involuntary=' // text_of(used(18)) // ' peak_bytes=' // text_of(used(5)*1024)
  end function
end module protocol
