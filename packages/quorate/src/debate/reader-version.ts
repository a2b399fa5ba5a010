/** Raised whenever some reply could be read as another answer or confidence than before; recorded with every run. */
export const READER_VERSION = 1
