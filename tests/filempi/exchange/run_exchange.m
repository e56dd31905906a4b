% Every exchange case in turn on all ranks: each rank prints "case NAME ok" or "case NAME failed: ...".

exchange_binding = getenv('EXCHANGE_BINDING');
exchange_m = feval(exchange_binding);
exchange_cases = strsplit(getenv('EXCHANGE_CASES'), ' ');
for exchange_k = 1:numel(exchange_cases)
    try
        feval(exchange_cases{exchange_k}, exchange_m);
        disp(['case ', exchange_cases{exchange_k}, ' ok']);
    catch exchange_problem
        fprintf('case %s failed: %s\n', exchange_cases{exchange_k}, strrep(exchange_problem.message, char(10), ' '));
    end
    exchange_m.barrier();
end
