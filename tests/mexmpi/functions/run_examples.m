% Every example of the help texts in turn, on all ranks of a job. Each rank prints "ok NAME" or "failed NAME: ...".
% EXAMPLES: the file with the examples; ONLY: names to be run (all when empty).

examples_text = fileread(getenv('EXAMPLES'));
[examples_names, examples_bodies] = regexp(examples_text, '^%% MPI_(\w+)[^\n]*$', 'tokens', 'split', 'lineanchors');
examples_names = cellfun(@(x) x{1}, examples_names, 'UniformOutput', false);
examples_only = strsplit(getenv('ONLY'), ' ');
examples_provided = MPI_Init_thread(0);
for examples_k = 1:numel(examples_names)
    if isempty(getenv('ONLY')) || any(strcmp(examples_names{examples_k}, examples_only))
        example_outcome(examples_names{examples_k}, examples_bodies{examples_k + 1});
    end
end
examples_left = mexmpi_state();
examples_left = MPI_Reduce(examples_left.requests);
if MPI_Comm_rank() == 0
    fputs(stdout, sprintf('left %d\n', examples_left));
end
MPI_Barrier();
MPI_Finalize();
