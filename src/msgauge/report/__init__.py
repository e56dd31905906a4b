"""What a person sees: terminal text, one self-contained page, and the same figures on paper.

view.load -> RunView -> terminal.run_terminal.print_report, page.render, figure_files.write.
Nothing here measures or judges; verdicts come from analysis.
"""
