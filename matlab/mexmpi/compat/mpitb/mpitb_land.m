function mpitb_land(asking, wanted)
    % Write what has landed, the variable "landed" of the function that asks, into the variables of that function's caller.
    %
    % A variable is written only in the workspace in which MPI_Irecv was given it: another function's may have its name.

    landed = evalin('caller', 'landed');
    for k = 1:numel(landed)
        mark = landed(k).mark;
        here = ~isempty(mark) && evalin('caller', sprintf('evalin(''caller'', ''exist(''''%s'''', ''''var'''')'')', mark)) == 1;
        if here
            evalin('caller', sprintf('evalin(''caller'', ''clear %s'')', mark));
        end
        if wanted && isempty(mark)
            write_global(landed(k).name, landed(k).value);
        elseif wanted && here
            evalin('caller', sprintf(['assignin(''caller'', landed(%d).name, mpitb_write(', ...
                                      'evalin(''caller'', landed(%d).name, ''[]''), landed(%d).value))'], k, k, k));
        elseif wanted
            warning('mpi:notWritten', ['%s: what has come for "%s" is not written, for MPI_Irecv was given it in another ', ...
                                       'function; take it as the last output'], asking, landed(k).name);
        end
    end
end

function write_global(mpitb_name_, mpitb_value_)
    eval(sprintf('global %s; %s = mpitb_write(%s, mpitb_value_);', mpitb_name_, mpitb_name_, mpitb_name_));
end
