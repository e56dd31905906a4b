! What the network interfaces of a host receive while neighbours exchange a known number of bytes: the part of
! native/data_path.hpp that Fortran can tell.
module data_path
  use coordination
  implicit none

  integer, parameter, private :: large_bytes = 262144, most_interfaces = 64

  type, private :: interface_type
    character(len=32) :: name = ''
    integer(int64) :: received = 0
  end type

contains

  ! The keys of series=data_path; all ranks call it together.
  function wire_of(rank, ranks) result(text)
    integer, intent(in) :: rank, ranks
    character(len=:), allocatable :: text
    type(interface_type) :: before(most_interfaces), after(most_interfaces)
    integer(int8), allocatable :: message(:)
    integer(int64) :: total, most, got
    integer :: peer, at, busiest
    allocate (message(large_bytes))
    message = 0
    peer = ieor(rank, 1)
    call exchange(message, rank, peer, ranks)  ! connections that are made on first use
    before = interfaces_now()
    call exchange(message(1:1), rank, peer, ranks)  ! nobody sends before both have read their counters
    call exchange(message, rank, peer, ranks)
    after = interfaces_now()
    total = 0
    most = 0
    busiest = 0
    do at = 1, most_interfaces
      if (after(at)%name == '' .or. after(at)%name /= before(at)%name) cycle
      got = after(at)%received - before(at)%received
      total = total + got
      if (got > most) busiest = at
      most = max(most, got)
    end do
    text = ' rank=' // text_of(int(rank, int64)) // ' large_moved=' &
           // text_of(int(merge(large_bytes, 0, peer < ranks), int64)) // ' large_wire_received=' // text_of(total) // ' wire='
    if (busiest > 0) text = text // encoded(trim(after(busiest)%name))
  end function

  ! First from the lower rank to the higher one, then back.
  subroutine exchange(message, rank, peer, ranks)
    integer(int8), intent(inout) :: message(:)
    integer, intent(in) :: rank, peer, ranks
    integer :: code, status(MPI_STATUS_SIZE)
    if (peer >= ranks) return
    if (rank < peer) call MPI_Send(message, size(message), MPI_BYTE, peer, report_tag, MPI_COMM_WORLD, code)
    call MPI_Recv(message, size(message), MPI_BYTE, peer, report_tag, MPI_COMM_WORLD, status, code)
    if (rank > peer) call MPI_Send(message, size(message), MPI_BYTE, peer, report_tag, MPI_COMM_WORLD, code)
  end subroutine

  ! Bytes received by each network interface but the one that talks to itself.
  function interfaces_now() result(found)
    type(interface_type) :: found(most_interfaces)
    character(len=line_length) :: line
    integer :: unit, code, colon, at
    at = 0
    open (newunit=unit, file='/proc/net/dev', status='old', action='read', iostat=code)
    do while (code == 0 .and. at < most_interfaces)
      read (unit, '(a)', iostat=code) line
      colon = index(line, ':')
      if (code /= 0 .or. colon == 0 .or. adjustl(line(:colon)) == 'lo:') cycle
      at = at + 1
      found(at)%name = adjustl(line(:colon - 1))
      read (line(colon + 1:), *, iostat=code) found(at)%received
    end do
    close (unit)
  end function
end module data_path
