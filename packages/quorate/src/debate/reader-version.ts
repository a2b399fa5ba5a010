/**
 * Raised whenever some reply could be read as another answer or confidence than before, or a prompt asks for another form;
 * recorded with every run.
 */
export const READER_VERSION = 2
