/**
 * Raised with every change after which a reply could be read as another answer or confidence, or a prompt asks for
 * another form. Recorded with every run.
 */
export const READER_VERSION = 6
