! How the ranks of a cell act together: rank 0 gives orders between timed chunks, the others carry them out.
module coordination
  use protocol
  implicit none

  integer, parameter :: finish = 0, check_order = 1, batches = 2, agreed = 3, fenced = 4, programs = 5
  integer, parameter :: order_tag = 32010, report_tag = 32011, fence_tag = 32001

  type :: order_type
    sequence
    integer(int64) :: kind = finish, count = 0, operations = 1, lead_in = 0, start_ns = 0, period_ns = 0
  end type

contains

  subroutine give(order, first, ranks)
    type(order_type), intent(in) :: order
    integer, intent(in) :: first, ranks
    integer(int64) :: words(6)
    integer :: rank, code
    words = [order%kind, order%count, order%operations, order%lead_in, order%start_ns, order%period_ns]
    do rank = first, ranks - 1
      call MPI_Send(words, 48, MPI_BYTE, rank, order_tag, MPI_COMM_WORLD, code)
    end do
  end subroutine

  function take_order() result(order)
    type(order_type) :: order
    integer(int64) :: words(6)
    integer :: code, status(MPI_STATUS_SIZE)
    call MPI_Recv(words, 48, MPI_BYTE, 0, order_tag, MPI_COMM_WORLD, status, code)
    order = order_type(words(1), words(2), words(3), words(4), words(5), words(6))
  end function

  ! Waits for an order without burning the processor that measuring ranks may need.
  subroutine await_order_sleeping()
    use, intrinsic :: iso_c_binding, only: c_int
    type(order_type) :: order
    integer :: code, status(MPI_STATUS_SIZE)
    logical :: there
    there = .false.
    do while (.not. there)
      call MPI_Iprobe(0, order_tag, MPI_COMM_WORLD, there, status, code)
      if (.not. there) code = c_usleep(200_c_int)
    end do
    order = take_order()
  end subroutine

  ! Rank 0 learns whether all said yes, and tells everyone.
  function all_agree(yes, rank, ranks) result(everyone)
    logical, intent(in) :: yes
    integer, intent(in) :: rank, ranks
    logical :: everyone
    integer :: other, code, status(MPI_STATUS_SIZE), word(1), heard(1)
    word(1) = merge(1, 0, yes)
    if (rank /= 0) then
      call MPI_Send(word, 1, MPI_INTEGER, 0, report_tag, MPI_COMM_WORLD, code)
      call MPI_Recv(word, 1, MPI_INTEGER, 0, order_tag, MPI_COMM_WORLD, status, code)
    else
      do other = 1, ranks - 1
        call MPI_Recv(heard, 1, MPI_INTEGER, other, report_tag, MPI_COMM_WORLD, status, code)
        word(1) = min(word(1), heard(1))
      end do
      do other = 1, ranks - 1
        call MPI_Send(word, 1, MPI_INTEGER, other, order_tag, MPI_COMM_WORLD, code)
      end do
    end if
    everyone = word(1) == 1
  end function

  ! A dissemination barrier of our own over single bytes: the stack's own is never the ruler.
  subroutine fence(rank, ranks)
    integer, intent(in) :: rank, ranks
    integer(int8) :: token(1), got(1)
    integer :: far, code, status(MPI_STATUS_SIZE)
    token = 1
    far = 1
    do while (far < ranks)
      call MPI_Sendrecv(token, 1, MPI_BYTE, mod(rank + far, ranks), fence_tag, got, 1, MPI_BYTE, &
                        mod(rank - far + ranks, ranks), fence_tag, MPI_COMM_WORLD, status, code)
      far = far*2
    end do
  end subroutine
end module coordination
