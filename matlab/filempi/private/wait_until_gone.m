function wait_until_gone(folder, limit_s)
    % Wait until the keeper has removed a job's folder.

    waited_s = 0;
    while exist(folder, 'dir') == 7 && waited_s < limit_s
        pause(0.01);
        waited_s = waited_s + 0.01;
    end
end
