"""The figures as Vega-Lite specifications, one description each for the page and for paper, and how they are drawn."""
