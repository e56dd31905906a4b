function MPI_Finalize()
end
