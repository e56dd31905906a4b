// Starting further processes.
#pragma once
#include "topology.hpp"

namespace mexmpi {

inline std::vector<std::string> texts_of(const Call& c, int k) {
    std::vector<std::string> found;
    if (!c.given(k) && !(k < c.inputs && mxIsCell(c.in[k]))) return found;
    const mxArray* x = c.value(k);
    if (is_text(x)) return {text_of(x)};
    size_t count = mxIsCell(x) ? mxGetNumberOfElements(x) : 0;
    if (!mxIsCell(x)) fail("badInput", "argument %d (%s) must be a cell of texts", k + 1, c.row.arguments[k]);
    for (size_t j = 0; j < count; ++j) {
        const mxArray* part = mxGetCell(x, j);
        if (!is_text(part)) fail("badInput", "argument %d (%s) must be a cell of texts", k + 1, c.row.arguments[k]);
        found.push_back(text_of(part));
    }
    return found;
}

inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> found;
    for (std::string& text : texts) found.push_back(&text[0]);
    found.push_back(nullptr);
    return found;
}

inline void give_spawned(Call& c, MPI_Comm made, const std::vector<int>& codes) {
    give_comm(c, 0, made);
    c.give(1, counts_array(codes));
}

inline void comm_spawn(Call& c) {
    MPI_Comm comm = c.comm(5), made;
    int count = c.integer(2, 1);
    if (count < 1 || count > 100000) fail("ERR_ARG", "argument 3 (count) must be a number of processes");
    std::vector<std::string> words = texts_of(c, 1);
    std::vector<char*> argv = pointers_to(words);
    std::vector<int> codes(count, MPI_SUCCESS);
    check(MPI_Comm_spawn(c.string(0).c_str(), argv.data(), count, c.info(3), c.root(4, comm), comm, &made, codes.data()));
    give_spawned(c, made, codes);
}

inline void comm_spawn_multiple(Call& c) {
    MPI_Comm comm = c.comm(4), made;
    std::vector<std::string> commands = texts_of(c, 0);
    std::vector<int> counts = c.integers(2);
    const mxArray* arguments = c.value(1);
    size_t programs = commands.size(), all = 0;
    if (counts.size() != programs || programs == 0) fail("ERR_ARG", "commands and counts must have the same number of elements");
    if (!mxIsCell(arguments) || mxGetNumberOfElements(arguments) != programs) {
        fail("badInput", "argument 2 (arguments) must be a cell with a cell of texts for each command");
    }
    std::vector<std::vector<std::string>> words(programs);
    std::vector<std::vector<char*>> pointers(programs);
    std::vector<char**> argvs;
    for (size_t k = 0; k < programs; ++k) {
        const mxArray* part = mxGetCell(arguments, k);
        Call inner{c.row, 0, nullptr, 1, &part};
        words[k] = texts_of(inner, 0);
        pointers[k] = pointers_to(words[k]);
        argvs.push_back(pointers[k].data());
        if (counts[k] < 1 || counts[k] > 100000) fail("ERR_ARG", "argument 3 (counts) must be numbers of processes");
        all += counts[k];
    }
    std::vector<char*> names = pointers_to(commands);
    std::vector<MPI_Info> infos_(programs, MPI_INFO_NULL);
    std::vector<int> codes(all, MPI_SUCCESS);
    check(MPI_Comm_spawn_multiple(int(programs), names.data(), argvs.data(), counts.data(), infos_.data(), c.root(3, comm), comm,
                                  &made, codes.data()));
    give_spawned(c, made, codes);
}

}  // namespace mexmpi
