function MPI_Init()
    % The reference protocol for tests: buffer and lock files in the folder REFERENCE_FOLDER, one process for each rank.
    % Written from the description of MatlabMPI 1.2br2: a message is the file pSOURCE_pDEST_tTAG_buffer.mat, and is there
    % when pSOURCE_pDEST_tTAG_lock.mat is; the receiver loads the one and removes both.
end
