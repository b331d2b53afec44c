# Plain Python: downloads a report. Only the environment says where the vendor's hosts are.
import gzip, json, os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

REPORTS = "https://sellingpartnerapi-eu.amazon.com/reports/2021-06-30"


def read(url, data=None, headers={}):
    with urlopen(Request(url, data=data, headers=headers)) as response:
        return response.read()


form = {
    "grant_type": "refresh_token",
    "client_id": os.environ["LWA_APP_ID"],
    "client_secret": os.environ["LWA_CLIENT_SECRET"],
    "refresh_token": os.environ["SP_API_REFRESH_TOKEN"],
}
token = json.loads(read("https://api.amazon.co.uk/auth/o2/token", urlencode(form).encode()))["access_token"]
headers = {"x-amz-access-token": token, "content-type": "application/json"}
body = {"reportType": "GET_MERCHANT_LISTINGS_ALL_DATA", "marketplaceIds": ["ATVPDKIKX0DER"]}
report_id = json.loads(read(f"{REPORTS}/reports", json.dumps(body).encode(), headers))["reportId"]
report = {}
while report.get("processingStatus") != "DONE":
    report = json.loads(read(f"{REPORTS}/reports/{report_id}", headers=headers))
document = json.loads(read(f"{REPORTS}/documents/{report['reportDocumentId']}", headers=headers))
lines = gzip.decompress(read(document["url"])).decode().splitlines()
print(document["url"].split("/")[2], len(lines) > 1)
