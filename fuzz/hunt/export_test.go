package hunt

// DrawFile opens drawFile to tests.
var DrawFile = drawFile
