export interface UploadTables {
  upload_destinations: {
    seller_id: string
    upload_destination_id: string
    application_id: string
    marketplace_id: string
    /** The operation that uses the upload, by its path. */
    resource: string
    content_type: string | null
    /** Base64 */
    content_md5: string
    created_at: string
  }
}
