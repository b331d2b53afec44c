/** The database of this test run. */
export const testDialect = process.env.SOUK_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'
