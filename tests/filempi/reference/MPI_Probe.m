function [ranks, tags, texts] = MPI_Probe(source, tag, comm)
    found = glob(reference_file('lock', source, comm.rank, tag, comm));
    parts = regexp(found, '/p(\d+)_p\d+_t(.*)_lock\.mat$', 'tokens', 'once');
    ranks = reshape(cellfun(@(part) str2double(part{1}), parts), [], 1);
    texts = reshape(cellfun(@(part) part{2}, parts, 'UniformOutput', false), [], 1);
    tags = reshape(str2double(texts), [], 1);
    if nargout == 2
        ranks = ranks(~isnan(tags));
        tags = tags(~isnan(tags));
    end
end
