function values = consume_file(values, header, name)
    % The values of a message file as a cell row, unwrapped; the file is removed, or moved to MatMPI/ when the sender's
    % communicator saves messages (header word 4 is 4 then).

    saving = header(4) == 4;
    if header(6) == 1
        values = {values};
    end
    if header(7) ~= 0
        folder = fileparts(name);
        values = unwrap_value(values, folder, ~saving);
    end
    values = reshape(values, 1, []);
    if saving
        save_received(name, header);
    else
        delete_file(name);
    end
end
