module caveau

go 1.26
