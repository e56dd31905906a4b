function [network, known] = is_network_folder(folder)
    % Is a folder on a network file system? known: false when the system does not tell.

    [status, kind] = system(['stat -f -c %T -- ', shell_quote(folder), ' 2>/dev/null']);
    kind = strtrim(kind);
    known = status == 0 && ~isempty(kind);
    remote = {'nfs', 'nfs4', 'cifs', 'smb', 'smb2', 'lustre', 'gpfs', 'afs', 'ceph', 'fuseblk', 'fuse', 'panfs', '9p', ...
              'v9fs', 'glusterfs', 'beegfs'};
    network = known && any(strcmp(kind, remote));
end
