function value = MPI_Sendrecv(dest, sendtag, source, recvtag, comm, sent)
    % As of filempi, over MPI.

    value = mexmpi_call('MPI_Sendrecv', sent, dest, sendtag, source, recvtag, comm.handle);
end
