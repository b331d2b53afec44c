import type { Migration } from '../platform/database/migrate.ts'

/** Jobs, reports, and the data of reports. */
export const reports: Migration = {
  name: '0002-reports',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // Unique, because it contains the key: an index scan then needs no sort.
      'create unique index orders_by_purchase on orders (seller_id, purchased_at, order_id)',
      'create unique index orders_by_update on orders (seller_id, updated_at, order_id)',

      `create table returns (
        seller_id text not null,
        rma_id text not null,
        order_id text not null,
        merchant_rma_id text,
        requested_at text not null,
        status text not null,
        is_prime bigint not null,
        a_to_z_claim bigint not null,
        return_type text not null,
        label_type text not null,
        label_cost_minor bigint not null,
        label_carrier text,
        label_tracking_id text,
        label_paid_by text not null,
        invoice_number text,
        delivered_at text,
        primary key (seller_id, rma_id),
        foreign key (seller_id, order_id) references orders
      ) ${clustered}`,
      'create unique index returns_by_request on returns (seller_id, requested_at, rma_id)',
      'create index returns_by_order on returns (seller_id, order_id)',

      // No reference to order_items, because writing an order deletes and inserts its items.
      `create table return_items (
        seller_id text not null,
        rma_id text not null,
        order_item_id text not null,
        quantity bigint not null,
        reason_code text not null,
        in_policy bigint not null,
        resolution text not null,
        category text not null,
        refund_minor bigint not null,
        primary key (seller_id, rma_id, order_item_id),
        foreign key (seller_id, rma_id) references returns on delete cascade
      ) ${clustered}`,

      `create table feedback (
        seller_id text not null,
        order_id text not null,
        submitted_at text not null,
        rating bigint not null,
        comment text not null,
        response text,
        rater_email text,
        primary key (seller_id, order_id),
        foreign key (seller_id, order_id) references orders
      ) ${clustered}`,
      'create index feedback_by_time on feedback (seller_id, submitted_at, order_id)',

      `create table reports (
        seller_id text not null references sellers,
        report_id text not null,
        report_type text not null,
        marketplace_ids text not null,
        options text not null,
        status text not null,
        created_at text not null,
        data_start_at text not null,
        data_end_at text not null,
        schedule_id text,
        started_at text,
        ended_at text,
        document_id text,
        primary key (seller_id, report_id)
      ) ${clustered}`,
      'create index reports_by_time on reports (seller_id, created_at, report_id)',
      'create index reports_by_document on reports (seller_id, document_id)',
      'create index reports_by_age on reports (created_at)',

      `create table report_schedules (
        seller_id text not null references sellers,
        schedule_id text not null,
        report_type text not null,
        marketplace_ids text not null,
        options text not null,
        period text not null,
        first_at text not null,
        next_at text not null,
        primary key (seller_id, schedule_id)
      ) ${clustered}`,

      // A claimed job has a lease; it may be claimed again after run_at, which is then the end of the lease.
      `create table jobs (
        job_id text primary key,
        kind text not null,
        payload text not null,
        run_at text not null,
        attempts bigint not null,
        lease text
      ) ${clustered}`,
      'create index jobs_by_time on jobs (run_at, job_id)',
    ]
  },
}
