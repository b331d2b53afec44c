export interface JobTables {
  jobs: {
    job_id: string
    kind: string
    /** JSON */
    payload: string
    /** When it may be claimed. Of a job that is being run: when its lease ends, and it may be claimed again. */
    run_at: string
    /** The seller for whom it is, if owners take turns. */
    owner: string | null
    /** Only for processes of the version before, which count claims here. */
    attempts: number
    failures: number
    crashes: number
    outage_retries: number
    outage_began_at: string | null
    last_error: string | null
    /** The secret of the worker that runs the job. */
    lease: string | null
  }
  given_up_jobs: {
    job_id: string
    kind: string
    /** JSON */
    payload: string
    reason: string
    failures: number
    crashes: number
    outage_retries: number
    last_error: string | null
    given_up_at: string
  }
}
