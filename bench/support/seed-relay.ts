import type pg from 'pg'

export const APPLICATIONS = 10
export const SELLERS = 100
const MARKETPLACE = 'ATVPDKIKX0DER'
const CREATED_AT = "'2026-01-01T00:00:00.000Z'"
const NOW = `to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Applications with a queue each, and sellers that subscribe to orders and offers, each through one of them. */
export async function seedSubscribers(client: pg.Client): Promise<void> {
  await client.query(`
    insert into marketplaces (marketplace_id, name, country_code, domain_name, currency_code, language_code)
      values ('${MARKETPLACE}', 'Amazon.com', 'US', 'www.amazon.com', 'USD', 'en_US');
    insert into applications (application_id, name, client_id, client_secret_digest, signing_key_id)
      select 'app' || n, 'An application', 'client' || n, '', 'key' || n from generate_series(0, ${APPLICATIONS - 1}) n;
    insert into sellers (seller_id, business_type, selling_plan)
      select 'ASELLER' || n, 'INDIVIDUAL', 'PROFESSIONAL' from generate_series(0, ${SELLERS - 1}) n;
    insert into authorizations (seller_id, application_id, authorized_at)
      select 'ASELLER' || n, 'app' || n % ${APPLICATIONS}, ${CREATED_AT} from generate_series(0, ${SELLERS - 1}) n;
    insert into destinations (application_id, destination_id, name, kind, target, created_at)
      select 'app' || n, 'destination' || n, 'A queue', 'sqs', 'arn:aws:sqs:us-east-1:123456789012:queue' || n, ${CREATED_AT}
      from generate_series(0, ${APPLICATIONS - 1}) n;
    insert into subscriptions (seller_id, application_id, notification_type, payload_version, subscription_id,
        destination_id, created_at)
      select 'ASELLER' || n, 'app' || n % ${APPLICATIONS}, type, '1.0', type || n, 'destination' || n % ${APPLICATIONS},
        ${CREATED_AT}
      from generate_series(0, ${SELLERS - 1}) n, (values ('ORDER_CHANGE'), ('ANY_OFFER_CHANGED')) types(type);`)
}

/** Products with an offer of ten sellers each, one of each application. */
export async function seedProducts(client: pg.Client, products: number): Promise<void> {
  await client.query(`
    insert into catalog_items (marketplace_id, asin, product_type, item_name, facts, updated_at)
      select '${MARKETPLACE}', 'B0' || lpad(n::text, 8, '0'), 'SHOES', 'A shoe', '{}', ${CREATED_AT}
      from generate_series(0, ${products - 1}) n;
    insert into offers (marketplace_id, asin, seller_id, sku, condition_type, fulfillment_type, price_minor,
        shipping_minor, currency_code, quantity, terms, from_listing, updated_at)
      select '${MARKETPLACE}', 'B0' || lpad(n::text, 8, '0'), 'ASELLER' || (n / 10 * ${APPLICATIONS} + seller) % ${SELLERS}, '-',
        'new_new', 'MFN', 2000 + seller, 0, 'USD', 1, '{}', 0, ${CREATED_AT}
      from generate_series(0, ${products - 1}) n, generate_series(0, ${APPLICATIONS - 1}) seller;
    analyze`)
}

/** An event for each of the products, in one commit. */
export async function appendOfferChanges(client: pg.Client, products: number, round: number): Promise<void> {
  await client.query(`
    update offers set price_minor = price_minor + 1 where asin < 'B0' || lpad('${products}', 8, '0');
    insert into events (event_id, occurred_at, seller_id, event_type, payload)
      select 'o${round}-' || lpad(n::text, 8, '0'), ${NOW}, 'ASELLER' || n % ${SELLERS}, 'OFFER_CHANGE',
        '{"marketplaceId":"${MARKETPLACE}","asin":"B0' || lpad(n::text, 8, '0') || '","conditionType":"new_new"}'
      from generate_series(0, ${products - 1}) n`)
}

/** Order changes of all sellers, in one commit. */
export async function appendOrderChanges(client: pg.Client, count: number, round: number): Promise<void> {
  await client.query(`
    insert into events (event_id, occurred_at, seller_id, event_type, payload)
      select 'e${round}-' || lpad(n::text, 8, '0'), ${NOW}, 'ASELLER' || n % ${SELLERS}, 'ORDER_CHANGE',
        '{"OrderChangeNotification":{"SellerId":"ASELLER' || n % ${SELLERS} || '","AmazonOrderId":"' || n ||
        '","OrderChangeType":"OrderStatusChange","Summary":{"MarketplaceId":"${MARKETPLACE}","OrderStatus":"Unshipped"}}}'
      from generate_series(0, ${count - 1}) n`)
}
