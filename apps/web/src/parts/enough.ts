/** Below so many labels a figure is grey, and there is no verdict and no headline. */
export const ENOUGH = 30
