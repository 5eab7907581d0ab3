package atomicfile

// SyncDirectory flushes the names in a directory.
var SyncDirectory = syncDirectory
