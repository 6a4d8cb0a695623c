! sums.f90 - an array that is allocated, and one that an assignment allocates.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
program sums
  implicit none
  real, allocatable :: first(:), second(:)
  integer :: i
  allocate(first(1000))
  do i = 1, 1000
    first(i) = i
  end do
  second = first(1:500) * 2.0
  print *, sum(second)
end program
