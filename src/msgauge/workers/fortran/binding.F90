! MPI and the system, as Fortran sees them. With MSGAUGE_MPIF_H the old include file stands in for the module: for
! libraries without one, or whose module was written by another compiler.
module binding
  use, intrinsic :: iso_fortran_env, only: int8, int64, real64
#ifdef MSGAUGE_MPIF_H
  implicit none
  include 'mpif.h'
#else
  use mpi
  implicit none
#endif

  interface
    function c_getpid() bind(C, name="getpid") result(pid)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int) :: pid
    end function
    function c_getrusage(who, usage) bind(C, name="getrusage") result(code)
      use, intrinsic :: iso_c_binding, only: c_int, c_long
      integer(c_int), value :: who
      integer(c_long), intent(out) :: usage(18)
      integer(c_int) :: code
    end function
    function c_gethostname(name, length) bind(C, name="gethostname") result(code)
      use, intrinsic :: iso_c_binding, only: c_char, c_int, c_size_t
      character(kind=c_char), intent(out) :: name(*)
      integer(c_size_t), value :: length
      integer(c_int) :: code
    end function
    function c_getsid(pid) bind(C, name="getsid") result(session)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: pid
      integer(c_int) :: session
    end function
    function c_getpriority(which, who) bind(C, name="getpriority") result(nice)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: which, who
      integer(c_int) :: nice
    end function
    function c_getscheduler(pid) bind(C, name="sched_getscheduler") result(policy)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: pid
      integer(c_int) :: policy
    end function
    function c_getrlimit(which, limits) bind(C, name="getrlimit") result(code)
      use, intrinsic :: iso_c_binding, only: c_int, c_long
      integer(c_int), value :: which
      integer(c_long), intent(out) :: limits(2)
      integer(c_int) :: code
    end function
    function c_getaffinity(pid, bytes, mask) bind(C, name="sched_getaffinity") result(code)
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_size_t
      integer(c_int), value :: pid
      integer(c_size_t), value :: bytes
      integer(c_int64_t), intent(out) :: mask(16)
      integer(c_int) :: code
    end function
    function c_setaffinity(pid, bytes, mask) bind(C, name="sched_setaffinity") result(code)
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_size_t
      integer(c_int), value :: pid
      integer(c_size_t), value :: bytes
      integer(c_int64_t), intent(in) :: mask(16)
      integer(c_int) :: code
    end function
    function c_readlink(path, into, bytes) bind(C, name="readlink") result(length)
      use, intrinsic :: iso_c_binding, only: c_char, c_size_t
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(out) :: into(*)
      integer(c_size_t), value :: bytes
      integer(c_size_t) :: length
    end function
    function c_usleep(microseconds) bind(C, name="usleep") result(code)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: microseconds
      integer(c_int) :: code
    end function
  end interface

contains

  ! CLOCK_MONOTONIC in ns: gfortran's system_clock reads it for 64-bit counts.
  function now_ns() result(ns)
    integer(int64) :: ns
    call system_clock(count=ns)
  end function

  ! Tells running systems and their time namespaces apart: ranks that share both share one CLOCK_MONOTONIC.
  function clock_identity() result(text)
    use, intrinsic :: iso_c_binding, only: c_null_char, c_size_t
    character(len=128) :: text
    character(len=64) :: boot, clock
    integer :: unit, code, length
    boot = ' '
    clock = ' '
    open (newunit=unit, file='/proc/sys/kernel/random/boot_id', action='read', status='old', iostat=code)
    if (code == 0) then
      read (unit, '(a)', iostat=code) boot
      close (unit)
    end if
    length = int(c_readlink('/proc/self/ns/time' // c_null_char, clock, 64_c_size_t))
    if (length < 0) clock = ' '
    if (boot == ' ') boot = host_name()
    text = trim(boot) // clock
  end function

  ! The library's own version string, on one line.
  function library() result(text)
    character(len=:), allocatable :: text
    integer :: at
#ifdef MSGAUGE_RELEASE
    character(len=32) :: digits
    ! MPI-1 has no call for it: the release is what constants of the library's own header say, which its family names.
    write (digits, '(i0,".",i0,".",i0)') MSGAUGE_RELEASE
    text = "release " // trim(digits)
#else
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: said
    integer :: length, code
    call MPI_Get_library_version(said, length, code)
    text = said(1:length)
#endif
    do at = 1, len(text)
      if (iachar(text(at:at)) < 32) text(at:at) = ' '
    end do
    text = trim(text)
  end function

  function host_name() result(text)
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char, c_size_t
    character(len=:), allocatable :: text
    character(kind=c_char) :: name(256)
    integer :: at
    name = c_null_char
    if (c_gethostname(name, 255_c_size_t) /= 0_c_int) name(1) = '?'
    text = ''
    do at = 1, 256
      if (name(at) == c_null_char) exit
      text = text // name(at)
    end do
  end function

  ! Where the launcher left this rank free to roam on `cores` cores, it takes this one.
  subroutine take_core(core, cores)
    use, intrinsic :: iso_c_binding, only: c_int, c_size_t
    integer, intent(in) :: core, cores
    integer(int64) :: mask(16)
    integer :: code
    mask = 0
    code = c_getaffinity(0_c_int, 128_c_size_t, mask)
    if (sum(popcnt(mask)) < cores .or. core < 0 .or. core > 1023) return
    mask = 0
    mask(core/64 + 1) = ibset(0_int64, mod(core, 64))
    code = c_setaffinity(0_c_int, 128_c_size_t, mask)
  end subroutine

  ! The group that the scheduler shares processor time out to: of the cpu controller, else the unified one.
  function own_cgroup() result(text)
    character(len=:), allocatable :: text
    character(len=1024) :: line
    integer :: unit, code, first, second
    text = ''
    open (newunit=unit, file='/proc/self/cgroup', status='old', action='read', iostat=code)
    do while (code == 0)
      read (unit, '(a)', iostat=code) line
      if (code /= 0) exit
      first = index(line, ':')
      second = first + index(line(first + 1:), ':')
      if (second == first + 1) text = trim(line(second + 1:))
      if (index(',' // line(first + 1:second - 1) // ',', ',cpu,') > 0) then
        text = trim(line(second + 1:))
        exit
      end if
    end do
    close (unit)
  end function

  ! The processors this process may use, as "0-3,8".
  function allowed_processors() result(text)
    character(len=:), allocatable :: text
    character(len=1024) :: line
    integer :: unit, code
    text = ''
    open (newunit=unit, file='/proc/self/status', status='old', action='read', iostat=code)
    do while (code == 0)
      read (unit, '(a)', iostat=code) line
      if (line(1:18) == 'Cpus_allowed_list:') text = trim(adjustl(line(20:)))
    end do
    close (unit)
  end function
end module binding
