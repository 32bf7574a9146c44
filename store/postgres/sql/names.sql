SELECT guest, name FROM names WHERE guest IN (SELECT json_array_elements_text($1))
