function name = mpitb_named(place, given, wanted)
    % The caller's variable that stands at a place among the arguments of a function of MPI-TB's; '' where it is not sure.
    %
    % Names come one an expression, values one an argument: in MPI_Allreduce(c{:}, op, comm) the second name is "op", the
    % second argument an element of c. So a name is taken only where each expression has given one argument.

    name = '';
    if ~wanted
        return
    end
    try
        texts = cellstr(evalin('caller', '__varval__ (''.argn.'')'));
    catch
        texts = texts_by_inputname();
    end
    if numel(texts) ~= given || place > given || ~isvarname(texts{place})
        return
    end
    asked = {sprintf('exist(''%s'', ''var'') == 1', texts{place})};
    lists = regexprep(texts(~cellfun(@isvarname, texts)), '\s', '');
    lists = lists(cellfun(@may_be_a_list, lists));
    for k = 1:numel(lists)
        words = setdiff(regexp(lists{k}, '(?<![\w.])[A-Za-z_]\w*', 'match'), {'end'});
        asked = [asked, strcat('exist(''', words, ''', ''var'') == 1'), {['numel({', lists{k}, '}) == 1']}];
    end
    asked = strrep(strjoin(asked, ' && '), '''', '''''');
    if all(cellfun(@is_safe, lists)) && evalin('caller', ['evalin(''caller'', ''', asked, ''')'], 'false')
        name = texts{place};
    end
end

function texts = texts_by_inputname()
    % The same where the interpreter keeps them in another place.
    texts = {};
    text = 'first';
    while ~isempty(text)
        try
            text = evalin('caller', sprintf('evalin(''caller'', ''inputname(%d, false)'')', numel(texts) + 1));
        catch
            text = '';
        end
        texts(end + 1:end + ~isempty(text)) = {text};
    end
end

function list = may_be_a_list(text)
    % c{...} and s.field, by their end, give any number of arguments.
    list = ~isempty(regexp(text, '^[A-Za-z_(].*(\}|\.\s*(\w+|\(.*\)))\s*$', 'once'));
end

function safe = is_safe(text)
    % Indexing and arithmetic only, which may be evaluated once more where all words are variables.
    safe = ~isempty(regexp(text, '^[\w\s.{}(),:+*/^-]*$', 'once')) && isempty(regexp(text, '\+\+|--', 'once'));
end
