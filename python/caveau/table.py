"""placeholder"""
class Table: pass
