// The kernels of a worker over its transport, as `kernels.inc` lists them:
//
//     #include "kernels/bcast.hpp"        one include a kernel; an absolute path for kernels from elsewhere
//     #include "kernels/pingpong.hpp"
//     #define MSGAUGE_KERNELS(KERNEL) KERNEL(bcast) KERNEL(pingpong)
//
// where each header NAME.hpp holds namespace msgauge::kernels::NAME with `facts` and `Run`. By hand, in a shell:
//
//     names=$(cd NATIVE/kernels && ls *.hpp | sed 's/\.hpp$//')
//     { printf '#include "kernels/%s.hpp"\n' $names; echo "#define MSGAUGE_KERNELS(KERNEL)" $(printf 'KERNEL(%s) ' $names); } > kernels.inc
#include "chosen_transport.hpp"

#include "kernels.inc"

namespace msgauge {

const std::vector<KernelEntry<ChosenTransport>>& linked_kernels() {
#define MSGAUGE_ENTRY(kernel) entry_of<ChosenTransport, kernels::kernel::facts, kernels::kernel::Run<ChosenTransport>>(),
  static const std::vector<KernelEntry<ChosenTransport>> entries{MSGAUGE_KERNELS(MSGAUGE_ENTRY)};
#undef MSGAUGE_ENTRY
  return entries;
}

}  // namespace msgauge
