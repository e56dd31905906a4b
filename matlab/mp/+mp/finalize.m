function finalize()
    % mp.finalize  -  End; last call of a program.

    mp_transport().finalize();
    mp_transport('end');
end
