// Where a file of a repository is shown, and where its bytes are.

export interface FileHosts {
  githubWebUrl: string;
  githubRawUrl: string;
}

// Addresses use `HEAD`, so that they hold whatever the main branch is called.
export function fileAddresses(hosts: FileHosts, coordinate: string, path: string): { url: string; rawUrl: string } {
  const file = path.split('/').map(encodeURIComponent).join('/');
  return {
    url: `${bare(hosts.githubWebUrl)}/${coordinate}/blob/HEAD/${file}`,
    rawUrl: `${bare(hosts.githubRawUrl)}/${coordinate}/HEAD/${file}`,
  };
}

function bare(address: string): string {
  return address.replace(/\/+$/, '');
}
