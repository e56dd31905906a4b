"""Workers in other languages than C++; each speaks the wire protocol."""
