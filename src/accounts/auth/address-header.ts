// Set by the routes in front of the sign-in library, from the connection; never what a client sends under this name.
export const ADDRESS_HEADER = 'x-registry-client-address';
