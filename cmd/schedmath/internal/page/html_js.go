package page

import "errors"

// Write is not for a browser, which has the page already.
func (d *Document) Write(string) error { return errors.New("page: no files in a browser") }
