function MPI_Send(dest, tag, comm, varargin)
    values = varargin;
    save('-binary', reference_file('buffer', comm.rank, dest, tag, comm), 'values');
    fclose(fopen(reference_file('lock', comm.rank, dest, tag, comm), 'w'));
end
