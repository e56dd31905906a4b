function there = filempi_exists(name)
    % A name that is there is seen only at the fourth look (delayed visibility).

    persistent seen looks
    [~, failed] = stat(name);
    there = failed == 0;
    if there && strcmp(getenv('FAULT'), 'delayed')
        if ~strcmp(seen, name)
            seen = name;
            looks = 0;
        end
        looks = looks + 1;
        there = looks >= 4;
    end
end
