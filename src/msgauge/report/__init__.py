"""What a person sees: terminal text, one self-contained page, and the same figures on paper.

view.load -> RunView -> terminal.print_report, page.render, figures.write.
Nothing here measures or judges; verdicts come from analyse.
"""
