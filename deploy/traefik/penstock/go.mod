module penstock

go 1.22
