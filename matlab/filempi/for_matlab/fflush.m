function status = fflush(fid) %#ok<INUSD>
    % What Octave's fflush is on MATLAB, whose fwrite writes through: nothing to do.

    status = 0;
end
