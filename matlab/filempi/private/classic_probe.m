function [ranks, tags] = classic_probe(source, tag, comm)
    % The lock files that wait in the reference's protocol, as columns of ranks and tags.

    global FILEMPI
    pattern = sprintf('^p(\\d+)_p%d_t(.*)_c%d_lock\\.mat$', comm.rank, 10 * comm.base / comm.size);
    found = regexp(list_folder(FILEMPI.folder), pattern, 'tokens', 'once');
    found = found(~cellfun('isempty', found));
    ranks = zeros(numel(found), 1);
    tags = zeros(numel(found), 1);
    for k = 1:numel(found)
        ranks(k) = str2double(found{k}{1});
        [~, tags(k)] = check_arguments(0, found{k}{2}, comm, false);
    end
    fits = true(numel(found), 1);
    if ~ischar(source)
        fits = fits & ranks == source;
    end
    if ~ischar(tag)
        fits = fits & tags == tag;
    end
    ranks = ranks(fits);
    tags = tags(fits);
end
