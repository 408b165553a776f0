module plancheck

go 1.26
